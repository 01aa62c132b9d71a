// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::memcpy is called on a device address.
#include <Kokkos_Core.hpp>

#include <cstring>
#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::vector<float> input(argc + 100, 1.0f);
  Kokkos::View<float*> x("x", input.size());
  std::memcpy(x.data(), input.data(), input.size() * sizeof(float));  // EXPECT: wrong-space
  Kokkos::fence();
}
