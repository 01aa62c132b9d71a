// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// half_t and bhalf_t take two bytes, as on a GPU, also of scratch, and are rounded as there.
#include <Kokkos_Core.hpp>

using Kokkos::Experimental::bhalf_t, Kokkos::Experimental::half_t;

template <class Number>
int wrong_sums(Number step, Number nearest) {
  static_assert(sizeof(Number) == 2);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  using Tile = Kokkos::View<Number*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const teams = 4, threads = 64;
  Kokkos::View<Number*> out("out", teams * threads);
  Kokkos::parallel_for(
      "turn", Policy(teams, threads).set_scratch_size(0, Kokkos::PerTeam(2 * threads + 8)), KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0), threads);
        int const i = team.team_rank();
        tile(i) = Number(i) * step + 1;
        team.team_barrier();
        out(team.league_rank() * threads + i) = tile(threads - 1 - i);
      });
  int wrong = 0;
  Kokkos::parallel_reduce(
      "count", teams * threads,
      KOKKOS_LAMBDA(int i, int& sum) { sum += float(out(i)) != (threads - 1 - i % threads) * float(step) + 1; }, wrong);
  Number most = 0;
  Kokkos::parallel_reduce(
      "most", teams * threads,
      KOKKOS_LAMBDA(int i, Number& max) {
        if (out(i) > max) max = out(i);
      },
      Kokkos::Max<Number>(most));
  return wrong + (most != Number(63) * step + 1) + (Number(1.0 / 3) != nearest) + !(Number(6e4) * Number(6e4) > Number(6e4));
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  half_t const subnormal(3e-6f);
  int wrong = float(subnormal) != 0x1.9p-19f;
  wrong += float(half_t(65519.0)) != 65504 || !(half_t(65520.0) > half_t(65504.0));
  wrong += float(bhalf_t(0x1.01p0f)) != 1 || float(bhalf_t(0x1.03p0f)) != 0x1.04p0f;
  return wrong + wrong_sums<half_t>(0.5f, half_t(0x1.554p-2f)) + wrong_sums<bhalf_t>(2.f, bhalf_t(0x1.56p-2f));
}
