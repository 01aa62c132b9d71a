// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Kokkos' SIMD types in kernels: one value a lane, as on GPUs.
#include <Kokkos_Core.hpp>

#include <Kokkos_SIMD.hpp>

#include <cstdlib>

namespace {

// Of one value; the second argument was the ABI in Kokkos 4.5 and is the number of values since.
template <template <class, class> class Pack>
Pack<double, Kokkos::Experimental::simd_abi::scalar> pack_of();
template <template <class, int> class Pack>
Pack<double, 1> pack_of();

}  // namespace

using Simd = decltype(pack_of<Kokkos::Experimental::simd>());
using Mask = decltype(pack_of<Kokkos::Experimental::simd_mask>());

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int width = Simd::size();
  int const packs = 100, n = packs * width;
  Kokkos::View<double*> x("x", n), y("y", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
  Kokkos::parallel_for(
      "root of squares", packs, KOKKOS_LAMBDA(int p) {
        Simd const value([&](std::size_t lane) { return x(p * width + static_cast<int>(lane)); });
        Mask const large = value > Simd(10);
        Simd const root = Kokkos::sqrt(value * value) + Kokkos::Experimental::condition(large, Simd(1), Simd(0));
        for (int lane = 0; lane < width; ++lane) y(p * width + lane) = root[lane];
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int i, double& update) { update += y(i); }, sum);
  if (sum != n * (n - 1) / 2 + n - 11) std::abort();
}
