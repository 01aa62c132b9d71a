// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each iteration sets a member of its own struct in a kernel before the one that adds under Kokkos' locks.
#include <Kokkos_Core.hpp>

struct Moments {
  long count = 0, sum = 0, squares = 0;
  KOKKOS_FUNCTION Moments operator+(Moments const& o) const {
    return {count + o.count, sum + o.sum, squares + o.squares};
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<Moments*> moments("moments", n);
  Kokkos::parallel_for("set", n, KOKKOS_LAMBDA(int i) { moments(i).sum = i; });
  Kokkos::parallel_for("moments", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&moments(0), Moments{1, i, i}); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), moments);
  return host(0).count == n ? 0 : 1;
}
