// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum by a reduction, which joins in one order.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<double*> total("total", 1);
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int i, double& update) { update += 1.0 / (i + 1); }, Kokkos::subview(total, 0));
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  std::printf("first %g\n", static_cast<double>(host(0)));
}
