// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only the first half of an array is written before all of it is read.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 8000;
  Kokkos::View<double*> work(Kokkos::view_alloc("work", Kokkos::WithoutInitializing), n);
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for("write", n / 2, KOKKOS_LAMBDA(int i) { work(i) = i; });
  Kokkos::parallel_for(
      "read", n, KOKKOS_LAMBDA(int i) {
        out(i) = 2 * work(i);  // EXPECT: uninit-global
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1) < 0;
}
