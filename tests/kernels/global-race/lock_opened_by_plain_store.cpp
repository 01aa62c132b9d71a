// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots, each with a lock of its own: a lane counts in the slot that it has taken and gives it back by a plain store, with no
// fence. Whoever takes it next may see the lock open, and not the count.
// EXPECT-OUTPUT: is\s+a\s+lock\s+that\s+the\s+atomic\s+at\s+\S+:\d+\s+takes:\s+a\s+plain\s+store\s+gives\s+it\s+back
// EXPECT-OUTPUT: both\s+lanes\s+come\s+here\s+behind\s+the\s+atomic\s+at\s+\S+:\d+,\s+which\s+takes\s+one\s+word
#include <Kokkos_Core.hpp>

namespace {

struct Slots {
  Kokkos::View<long*> count;
  Kokkos::View<int*> taken;

  KOKKOS_FUNCTION int take(int first) const {
    int const slots = static_cast<int>(taken.extent(0));
    int slot = first % slots;
    while (Kokkos::atomic_compare_exchange(&taken(slot), 0, 1) != 0) slot = (slot + 1) % slots;
    return slot;
  }
  KOKKOS_FUNCTION void give_back(int slot) const {
    taken(slot) = 0;  // EXPECT: global-race
  }
};

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Slots const slots{Kokkos::View<long*>("count", 300), Kokkos::View<int*>("taken", 300)};
  Kokkos::parallel_for(
      "count", 4000, KOKKOS_LAMBDA(int i) {
        int const slot = slots.take(i);
        slots.count(slot) += i;  // EXPECT: global-race
        slots.give_back(slot);
      });
  Kokkos::fence();
}
