// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A lane waits for a flag of 24 bytes, which another lane of the team sets later.
#include <Kokkos_Core.hpp>

struct Ticket {
  double number = 0, sum = 0, sign = 0;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<Ticket> flag("flag");
  Kokkos::View<int> y("y");
  Kokkos::parallel_for(
      "spin", Policy(1, 8), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.team_rank() == 0) {
          while (Kokkos::atomic_load(&flag()).number != 7) {
          }
          y() = 1;
        }
        if (team.team_rank() == 5) Kokkos::atomic_store(&flag(), Ticket{7, 0, 0});
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host() == 1 ? 0 : 1;
}
