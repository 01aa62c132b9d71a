// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Views of which one lives at a time, each a little larger than the one before: 400 GiB in all, of which little is touched.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  for (std::size_t i = 0; i != 50; ++i) {
    std::size_t const bytes = (std::size_t{8} << 30) + i * 256;
    Kokkos::View<char*> view(Kokkos::view_alloc("grow", Kokkos::WithoutInitializing), bytes);
    Kokkos::parallel_for(
        "touch", 256, KOKKOS_LAMBDA(int k) { view(bytes - 256 + k) = 1; });
    Kokkos::fence();
  }
}
