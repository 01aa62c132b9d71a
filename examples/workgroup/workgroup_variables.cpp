// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The distribution of vector lengths: each team counts in workgroup variables, whose layout, size and names are known when
// compiling, and adds its counts to the total. The layout is held against what every WebGPU device grants when compiling,
// and against this device's limit when running.
//   workgroup_variables [VECTORS]
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/vec.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

#include <cstdio>
#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

constexpr int bins = 64, tile = 256;
using Layout = teamsan::workgroup_layout<teamsan::variable<"vectors", teamsan::vec4f[tile]>,
                                         teamsan::variable<"counts", teamsan::atomic<unsigned>[bins]>,
                                         teamsan::variable<"outliers", teamsan::atomic<unsigned>>>;
static_assert(Layout::bytes == 4096 + 256 + 16);
static_assert(Layout::fits(teamsan::limits::webgpu_minimum), "no WebGPU device may be left out");

KOKKOS_INLINE_FUNCTION teamsan::vec4f vector_at(int i) {
  return {static_cast<float>(i % 7), static_cast<float>(i % 11), static_cast<float>(i % 3), 1};
}
KOKKOS_INLINE_FUNCTION int bin_of(teamsan::vec4f const& v) {
  return static_cast<int>(v.x * v.x + v.y * v.y + v.z * v.z) / 2;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = argc > 1 ? std::atoi(argv[1]) : 10000;
  std::size_t const limit = teamsan::workgroup_limit();
  std::printf("%zu bytes of workgroup variables; a team may have %zu\n", Layout::bytes, limit);
  if (Layout::scratch_bytes > limit) return 1;

  Kokkos::View<teamsan::vec4f*> vectors("vectors", n);
  Kokkos::View<unsigned*> totals("totals", bins + 1);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { vectors(i) = vector_at(i); });
  Policy policy((n + tile - 1) / tile, Kokkos::AUTO);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "distribution", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);
        auto& mine = variables.get<"vectors">();
        auto& counts = variables.get<"counts">();
        int const first = member.league_rank() * tile, valid = n - first < tile ? n - first : tile;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, valid), [&](int i) { mine[i] = vectors(first + i); });
        teamsan::workgroup_barrier(member);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, valid), [&](int i) {
          int const bin = bin_of(mine[valid - 1 - i]);
          if (bin < bins)
            counts[bin].add(1);
          else
            variables.get<"outliers">().add(1);
        });
        teamsan::workgroup_barrier(member);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bins), [&](int bin) {
          if (unsigned const count = counts[bin].load(); count != 0) Kokkos::atomic_add(&totals(bin), count);
        });
        Kokkos::single(Kokkos::PerTeam(member),
                       [&] { Kokkos::atomic_add(&totals(bins), variables.get<"outliers">().load()); });
      });
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), totals);
  unsigned expected[bins + 1] = {};
  for (int i = 0; i < n; ++i) {
    int const bin = bin_of(vector_at(i));
    ++expected[bin < bins ? bin : bins];
  }
  int wrong = 0;
  for (int bin = 0; bin <= bins; ++bin) wrong += found(bin) != expected[bin];
  std::printf("%d of %d bins are wrong\n", wrong, bins + 1);
  return wrong != 0;
}
