// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team is shared out by rows of 32 vector lanes. How large a team may be is asked of the host's space, where that is a
// thread or two: the quotient is 0, and each lane divides by it.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 256, vector_length = 32;
  Kokkos::View<int*> group("group", n);
  auto const body = KOKKOS_LAMBDA(Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>::member_type const&) {};
  int const largest =
      Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>(1, 1).team_size_max(body, Kokkos::ParallelForTag{});
  int const rows = Kokkos::min(largest, 16) / vector_length;
  Kokkos::parallel_for(
      "group", n, KOKKOS_LAMBDA(int i) {
        group(i) = i / rows;  // EXPECT: crash
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), group);
  return host(n - 1) < 0;
}
