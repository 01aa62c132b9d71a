// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: shard=1/2
// Zeros that kernels have stored, by teams and by a range, are copied to memory that lies otherwise in the shards' blocks, and
// read there: the shard of the copy knows what the other one's kernels wrote.
#include <Kokkos_Core.hpp>

#include <string>

namespace {

using Policy = Kokkos::TeamPolicy<>;
constexpr int teams = 200, lanes = 128, size = teams * lanes;

Kokkos::View<short*> uninitialised(std::string const& label, int extent) {
  return Kokkos::View<short*>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), extent);
}

int sum_of_copy(Kokkos::View<short*> const& from) {
  auto const to = uninitialised("to", size + 999);
  Kokkos::deep_copy(Kokkos::subview(to, Kokkos::pair(999, size + 999)), from);
  int sum = 0;
  Kokkos::parallel_reduce("sum", size, KOKKOS_LAMBDA(int i, int& s) { s += to(999 + i); }, sum);
  return sum;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  auto const by_teams = uninitialised("by teams", size), by_range = uninitialised("by range", size);
  Kokkos::parallel_for(
      "teams", Policy(teams, lanes),
      KOKKOS_LAMBDA(Policy::member_type const& team) { by_teams(team.league_rank() * lanes + team.team_rank()) = 0; });
  int sum = sum_of_copy(by_teams);
  for (int round = 0; round < 2; ++round) {
    Kokkos::parallel_for("range", size, KOKKOS_LAMBDA(int i) { by_range(i) = 0; });
    sum += sum_of_copy(by_range);
  }
  return sum;
}
