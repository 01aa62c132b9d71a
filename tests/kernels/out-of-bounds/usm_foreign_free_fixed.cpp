// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each allocation is freed with its own pointer; the View frees itself.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> const view("view", 10);
  int* const x = usm::malloc_device<int>(10);
  usm::free(x);
  usm::free(nullptr);
}
