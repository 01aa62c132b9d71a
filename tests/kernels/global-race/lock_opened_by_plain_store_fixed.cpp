// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The lock is given back by a fence and an atomic store, and a fence lies behind the atomic that takes it.
#include <Kokkos_Core.hpp>

namespace {

struct Slots {
  Kokkos::View<long*> count;
  Kokkos::View<int*> taken;

  KOKKOS_FUNCTION int take(int first) const {
    int const slots = static_cast<int>(taken.extent(0));
    int slot = first % slots;
    while (Kokkos::atomic_compare_exchange(&taken(slot), 0, 1) != 0) slot = (slot + 1) % slots;
    Kokkos::memory_fence();
    return slot;
  }
  KOKKOS_FUNCTION void give_back(int slot) const {
    Kokkos::memory_fence();
    Kokkos::atomic_store(&taken(slot), 0);
  }
};

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Slots const slots{Kokkos::View<long*>("count", 300), Kokkos::View<int*>("taken", 300)};
  Kokkos::parallel_for(
      "count", 4000, KOKKOS_LAMBDA(int i) {
        int const slot = slots.take(i);
        slots.count(slot) += i;
        slots.give_back(slot);
      });
  Kokkos::fence();
}
