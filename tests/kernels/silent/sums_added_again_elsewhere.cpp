// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of a warm-up are cleared unread, and are added to once more before they are read: in a part of the View that another
// shard judges, by a block that is not the launch's first. That nobody has lost anything this shard has to know, too.
// OPTIONS: shard=1/2
// EXPECT-NONE
#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  namespace KE = Kokkos::Experimental;
  int const n = 8192;
  Kokkos::View<double*> sums("sums", n), out("out", n);
  auto scatter = KE::create_scatter_view<KE::ScatterSum, KE::ScatterNonDuplicated, KE::ScatterAtomic>(sums);
  Kokkos::parallel_for("warm up", n, KOKKOS_LAMBDA(int i) {
    auto access = scatter.access();
    access(i) += 1.;
    access(i * 7 % n) += 1.;
  });
  scatter.reset();
  Kokkos::parallel_for("add", 1024, KOKKOS_LAMBDA(int i) {
    if (i < 700) return;
    auto access = scatter.access();
    access(1200 + i) += 1.;
    access(1199 + i) += 1.;
  });
  Kokkos::parallel_for("use", n, KOKKOS_LAMBDA(int i) { out(i) = sums(i); });
  Kokkos::fence();
}
