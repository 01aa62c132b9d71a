// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a View is given to usm::free, and an inner address, and a pointer of the host's.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> const view("view", 10);
  int* const x = usm::malloc_device<int>(10);
  int host = argc;
  usm::free(view.data());  // EXPECT: out-of-bounds
  usm::free(x + 1);        // EXPECT: out-of-bounds
  usm::free(&host);        // EXPECT: out-of-bounds
  usm::free(x);
}
