// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of functors, which lanes that run in one call read from one copy: an array with an index of the lane, what a function
// that is not in line reads through `this`, an address that is handed on, a functor too large to be copied; in ranges of one
// and more dimensions, sums and scans. Right results, and nothing is found.
#include <Kokkos_Core.hpp>

#include <cstdio>

constexpr int n = 3000, side = 55;

[[gnu::noinline]] KOKKOS_FUNCTION double weigh(double const* weights, int i) { return weights[i % 4]; }

template <int more>
struct Weighted {
  Kokkos::View<double*> y;
  double weights[4] = {1, 2, 3, 4};
  double padding[more] = {};
  [[gnu::noinline]] KOKKOS_FUNCTION double own(int i) const { return weights[i % 4] + padding[i % more]; }
  KOKKOS_FUNCTION void operator()(int i) const { y(i) = weights[i % 4] + own(i) + weigh(weights, i); }
  KOKKOS_FUNCTION void operator()(int i, int j) const { (*this)(i * side + j); }
  KOKKOS_FUNCTION void operator()(int i, int j, int k) const { (*this)((i * side + j) % n + k * 0); }
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += own(i) + y(i); }
  KOKKOS_FUNCTION void operator()(int i, double& sum, bool final) const {
    sum += weights[i % 4];
    if (final) y(i) = sum;
  }
};

template <int more>
int wrong() {
  Kokkos::View<double*> y("y", n + side);
  Weighted<more> const f{y};
  auto const differs = [&](double factor) {
    int count = 0;
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
    for (int i = 0; i != n; ++i) count += host(i) != factor * (i % 4 + 1);
    return count;
  };
  int count = 0;
  Kokkos::parallel_for("one", n, f);
  count += differs(3);
  Kokkos::deep_copy(y, 0);
  Kokkos::parallel_for("two", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {side, side}), f);
  count += differs(3);
  Kokkos::deep_copy(y, 0);
  Kokkos::parallel_for(
      "three", Kokkos::MDRangePolicy<Kokkos::Rank<3, Kokkos::Iterate::Right>>({0, 0, 0}, {side - 1, side, 1}), f);
  Kokkos::parallel_for("rest", Kokkos::RangePolicy<>((side - 1) * side, n), f);
  count += differs(3);
  double sum = 0;
  Kokkos::parallel_reduce("sum", n, f, sum);
  count += sum != 4 * 2.5 * n;
  Kokkos::parallel_scan("scan", n, f);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  for (int i = 0; i != n; ++i) count += host(i) != i / 4 * 10 + (i % 4 + 1) * (i % 4 + 2) / 2;
  return count;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const count = wrong<1>() + wrong<1000>();
  if (count != 0) std::printf("%d wrong results\n", count);
  return count != 0;
}
// EXPECT-NONE
