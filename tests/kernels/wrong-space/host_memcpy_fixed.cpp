// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// deep_copy moves the bytes.
#include <Kokkos_Core.hpp>

#include <cstring>
#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::vector<float> input(argc + 100, 1.0f);
  Kokkos::View<float*> x("x", input.size());
  using Window = Kokkos::View<float const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(x, Window(input.data(), input.size()));
  Kokkos::fence();
}
