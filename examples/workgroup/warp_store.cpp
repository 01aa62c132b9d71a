// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane computes a run of neighbours, each from the one before (a blocked arrangement), and the warp stores them by all
// four algorithms. How many elements there are is not a multiple of a warp's tile: the last one is guarded.
//   warp_store [ELEMENTS]
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_store.hpp>

#include <cstdio>
#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Algorithm = teamsan::warp_algorithm;

constexpr int items = 4, lanes = 32, tile = items * lanes;
using Exchange = teamsan::warp_exchange<float, items, Member, lanes>;

/// The k-th power of something that hangs on the run.
KOKKOS_INLINE_FUNCTION float run_start(int run) { return static_cast<float>(run % 5 + 1); }

template <Algorithm ALGORITHM>
void store_runs(char const* label, Kokkos::View<float*> out) {
  constexpr bool gpu = !std::is_same_v<Policy::execution_space::memory_space, Kokkos::HostSpace>;
  int const n = static_cast<int>(out.extent(0)), team = gpu ? 4 : 1;
  Policy policy((n + team * tile - 1) / (team * tile), team, gpu ? lanes : 1);
  policy.set_scratch_size(0, Kokkos::PerThread(Exchange::scratch_bytes));
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(Member const& member) {
        int const first = (member.league_rank() * member.team_size() + member.team_rank()) * tile;
        teamsan::warp_items<float, items, Member, lanes> values;
        teamsan::for_each_lane<lanes>(member, [&](int lane) {
          // Striped stores want the items in another arrangement: this lane's k-th is element k * lanes + lane.
          for (int k = 0; k < items; ++k) {
            int const element = first + (ALGORITHM == Algorithm::striped ? k * lanes + lane : lane * items + k);
            float value = run_start(element / items);
            for (int i = 0; i < element % items; ++i) value *= run_start(element / items);
            values(lane, k) = value;
          }
        });
        float* const to = out.data() + first;
        int const valid = n - first;
        if constexpr (ALGORITHM == Algorithm::transpose)
          teamsan::warp_store<items, ALGORITHM>(member, to, values, valid, Exchange(member));
        else
          teamsan::warp_store<items, ALGORITHM>(member, to, values, valid);
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = argc > 1 ? std::atoi(argv[1]) : 10000;
  Kokkos::View<float*> out("out", n);
  int wrong = 0;
  auto const check = [&](char const* name) {
    auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    int differ = 0;
    for (int i = 0; i < n; ++i) {
      float value = run_start(i / items);
      for (int k = 0; k < i % items; ++k) value *= run_start(i / items);
      differ += result(i) != value;
    }
    std::printf("%s: %d of %d elements are wrong\n", name, differ, n);
    wrong += differ;
    Kokkos::deep_copy(out, -1.f);
  };
  store_runs<Algorithm::direct>("direct", out);
  check("direct");
  store_runs<Algorithm::striped>("striped", out);
  check("striped");
  store_runs<Algorithm::vectorize>("vectorize", out);
  check("vectorize");
  store_runs<Algorithm::transpose>("transpose", out);
  check("transpose");
  return wrong != 0;
}
