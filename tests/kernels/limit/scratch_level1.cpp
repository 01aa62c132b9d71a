// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More level 1 scratch than Kokkos gives a team.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Table = Kokkos::View<char*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::size_t const n = 100u << 20;
  Kokkos::View<char> y("y");
  auto policy = Policy(1, 1).set_scratch_size(1, Kokkos::PerTeam(Table::shmem_size(n)));
  auto const kernel = KOKKOS_LAMBDA(Policy::member_type const& team) {
    Table table(team.team_scratch(1), n);
    table(n - 1) = 'x';
    y() = table(n - 1);
  };
  Kokkos::parallel_for("table", policy, kernel);  // EXPECT-ANYWHERE: limit
  Kokkos::fence();
}
