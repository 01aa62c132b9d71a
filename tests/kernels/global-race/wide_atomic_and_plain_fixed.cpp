// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All lanes update the struct of 24 bytes with Kokkos' atomics, which take a lock for it. The plain store is in a
// kernel behind.
#include <Kokkos_Core.hpp>

struct Moments {
  double count = 0, sum = 0, squares = 0;
  KOKKOS_FUNCTION Moments operator+(Moments const& o) const {
    return {count + o.count, sum + o.sum, squares + o.squares};
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<Moments*> moments("moments", 4);
  Kokkos::parallel_for(
      "moments", n, KOKKOS_LAMBDA(int i) {
        double const x = i % 10;
        if (i % 4 != 3)
          Kokkos::atomic_add(&moments(i % 4), Moments{1, x, x * x});
        else
          Kokkos::atomic_add(&moments(3), Moments{1, x, x * x});
      });
  Kokkos::parallel_for("clear", 1, KOKKOS_LAMBDA(int) { moments(2).sum = 0; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), moments);
  return host(0).count == 250 && host(3).count == 250 ? 0 : 1;
}
