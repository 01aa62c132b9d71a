// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Atomics that every vector lane of a thread may carry out: idempotent ones, locks, and shares that differ.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 4, vector_length = 8;
  Kokkos::View<int*> y("y", 8), lock("lock", 1), tickets("tickets", 3 * team_size * vector_length + 1);
  Kokkos::View<double> largest("largest");
  Kokkos::parallel_for(
      "atomics", Policy(3, team_size, vector_length), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank();
        Kokkos::atomic_max(&y(0), t);
        Kokkos::atomic_min(&y(1), -t);
        Kokkos::atomic_or(&y(2), 1 << t);
        Kokkos::atomic_and(&y(3), ~(1 << t));
        Kokkos::atomic_exchange(&y(4), 5);
        Kokkos::atomic_store(&y(5), 6);
        Kokkos::atomic_compare_exchange(&y(6), 0, 7);
        Kokkos::atomic_max(&largest(), 0.5 * t);
        // A lock that each lane takes and gives back.
        while (Kokkos::atomic_compare_exchange(&lock(0), 0, 1) != 0) {
        }
        Kokkos::memory_fence();
        Kokkos::atomic_exchange(&lock(0), 0);
        // Each lane adds another amount.
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length),
                             [&](int) { Kokkos::atomic_add(&y(7), 1); });
        Kokkos::single(Kokkos::PerThread(team), [&]() { Kokkos::atomic_add(&y(7), 1); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == team_size - 1 && host(2) == 15 && host(7) == 3 * team_size * (vector_length + 1) ? 0 : 1;
}
