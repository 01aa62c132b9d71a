// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Asked of the space that the teams are for; and never less than one row.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 256, vector_length = 32;
  Kokkos::View<int*> group("group", n);
  auto const body = KOKKOS_LAMBDA(Policy::member_type const&) {};
  int const largest = Policy(1, 1).team_size_max(body, Kokkos::ParallelForTag{});
  int const rows = Kokkos::max(1, largest / vector_length);
  Kokkos::parallel_for(
      "group", n, KOKKOS_LAMBDA(int i) { group(i) = i / rows; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), group);
  return host(n - 1) != (n - 1) / rows;
}
