// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A single-pass scan with decoupled look-back: each team publishes its sum, then walks back over its predecessors,
// which have published their sum or already their prefix, until it meets a prefix. Values and states are published by fences.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 40, width = 16;
  Kokkos::View<int*> in("in", league * width), out("out", league * width);
  Kokkos::View<int*> state("state", league), sums("sums", league), prefixes("prefixes", league);
  Kokkos::View<int> next("next");
  Kokkos::parallel_for(
      "fill", in.size(), KOKKOS_LAMBDA(int i) { in(i) = i % 7; });
  Kokkos::parallel_for(
      "scan", Policy(league, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int rank = 0;
        Kokkos::single(
            Kokkos::PerTeam(team), [&](int& r) { r = Kokkos::atomic_fetch_add(&next(), 1); }, rank);
        int const i = rank * width + team.team_rank();
        int const mine = in(i);
        int const within = team.team_scan(mine);
        int sum = mine;
        team.team_reduce(Kokkos::Sum<int>(sum));
        int before = 0;
        Kokkos::single(
            Kokkos::PerTeam(team),
            [&](int& total) {
              total = 0;
              if (rank > 0) {
                sums(rank) = sum;
                Kokkos::memory_fence();
                Kokkos::atomic_store(&state(rank), 1);
                for (int p = rank - 1;; --p) {
                  int seen = 0;
                  while ((seen = Kokkos::atomic_load(&state(p))) == 0) {
                  }
                  Kokkos::memory_fence();
                  total += seen == 2 ? prefixes(p) : sums(p);
                  if (seen == 2) break;
                }
              }
              prefixes(rank) = total + sum;
              Kokkos::memory_fence();
              Kokkos::atomic_store(&state(rank), 2);
            },
            before);
        out(i) = before + within;
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  int expected = 0;
  for (int i = 0; i < league * width; ++i) {
    if (host(i) != expected) return 1;
    expected += i % 7;
  }
  return 0;
}
