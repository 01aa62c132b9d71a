// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One allocation is larger than the whole device: 100 GiB on an H100.
// OPTIONS: device=h100
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  try {
    char* const x = usm::malloc_device<char>(std::size_t{100} << 30, {}, "x");  // EXPECT: limit
    usm::free(x);
  } catch (std::runtime_error const&) {
    return 0;
  }
  return 1;
}
