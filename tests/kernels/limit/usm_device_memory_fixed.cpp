// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The first is freed before the second is made.
// OPTIONS: device_memory=10M
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::size_t const half = std::size_t{6} << 20;
  char* const x = usm::malloc_device<char>(half, {}, "x");
  usm::free(x);
  char* const y = usm::malloc_device<char>(half, {}, "y");
  usm::free(y);
}
