// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A bounded queue of many producers and consumers: a number per slot says whose turn it is.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const slots = 8, items = 40;
  Kokkos::View<int*> item(Kokkos::view_alloc("item", Kokkos::WithoutInitializing), slots), turn("turn", slots);
  Kokkos::View<int> head("head"), tail("tail"), sum("sum");
  Kokkos::parallel_for(
      "number", slots, KOKKOS_LAMBDA(int i) { turn(i) = i; });
  Kokkos::parallel_for(
      "queue", Policy(2 * items, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        bool const produces = team.league_rank() % 2 == 0;
        int const place = Kokkos::atomic_fetch_add(produces ? &tail() : &head(), 1), slot = place % slots;
        while (Kokkos::atomic_load(&turn(slot)) != (produces ? place : place + 1)) {
        }
        Kokkos::memory_fence();
        if (produces)
          item(slot) = team.league_rank();
        else
          Kokkos::atomic_add(&sum(), item(slot));
        Kokkos::memory_fence();
        Kokkos::atomic_store(&turn(slot), produces ? place + 1 : place + slots);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host() == items * (items - 1) ? 0 : 1;
}
