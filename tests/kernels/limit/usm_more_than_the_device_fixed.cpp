// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The largest that fits is a question of the device, not of hope.
// OPTIONS: device=h100
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  char* const x = usm::malloc_device<char>(std::size_t{1} << 20, {}, "x");
  usm::free(x);
}
