// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The same kernel once before and twice in a handler of exit(), when the thread's own objects are gone: each time its
// iterations add by atomics.
#include <Kokkos_Core.hpp>

#include <cstdlib>

Kokkos::View<int*>* sums = nullptr;

void add(char const* label) {
  auto const sum = *sums;
  Kokkos::parallel_for(
      label, 4000, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&sum(i % 300), i);
      });
  Kokkos::fence();
}

void last() {
  add("once more");
  add("a third time");
  delete sums;
  Kokkos::finalize();
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  std::atexit(last);
  sums = new Kokkos::View<int*>("sum", 300);
  add("once");
}
