// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two device allocations together exceed the device; each alone would fit.
// OPTIONS: device_memory=10M
// EXPECT-OUTPUT: than the option device_memory allows
// EXPECT-OUTPUT: itself would hold it: the option device_memory
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::size_t const half = std::size_t{6} << 20;
  try {
    char* const x = usm::malloc_device<char>(half, {}, "x");
    char* const y = usm::malloc_device<char>(half, {}, "y");  // EXPECT: limit
    usm::free(x);
    usm::free(y);
  } catch (std::runtime_error const&) {
    return 0;
  }
  return 1;
}
