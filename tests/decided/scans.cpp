// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans whose accesses are affine, right and wrong ones: what is told of each, what it adds up and what it leaves for later
// launches is the same with --decide 1 and without. `scans simple`: those that are to be decided, both of their launches.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

using Doubles = Kokkos::View<double*>;
using Longs = Kokkos::View<long*>;
using Range = Kokkos::RangePolicy<>;
constexpr int n = 5000;

struct Tagged {
  struct Tag {};
  Longs in, out;
  KOKKOS_FUNCTION void operator()(Tag, int i, long& sum, bool last) const {
    if (last) out(i) = sum;
    sum += in(i);
  }
};

/// Each is decided: 2 launches, of which the first adds up the blocks.
void simple() {
  Doubles const x("x", n), y("y", n);
  Longs const in("in", n), out("out", n), rows("rows", n + 1);
  for (int turn = 0; turn != 2; ++turn) {
    Kokkos::parallel_for(
        "fill", n, KOKKOS_LAMBDA(int i) {
          x(i) = i;
          in(i) = i % 7;
        });
    Kokkos::parallel_scan(
        "inclusive", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
          sum += x(i);
          if (last) y(i) = sum;
        });
    long total = 0;
    Kokkos::parallel_scan(
        "exclusive", n,
        KOKKOS_LAMBDA(int i, long& sum, bool last) {
          long const here = in(i);
          if (last) out(i) = sum;
          sum += here;
        },
        total);
    Kokkos::parallel_scan(
        "rows", n, KOKKOS_LAMBDA(int i, long& sum, bool last) {
          sum += in(i);
          if (last) rows(i + 1) = sum;
        });
    Kokkos::parallel_scan(
        "in place", Range(10, n - 10), KOKKOS_LAMBDA(int i, double& sum, bool last) {
          sum += x(i);
          if (last) x(i) = sum;
        });
    Kokkos::parallel_scan("tagged", Kokkos::RangePolicy<Tagged::Tag>(0, n), Tagged{in, out});
    long left = 0;
    Kokkos::parallel_reduce(
        "what is left", n, KOKKOS_LAMBDA(int i, long& s) { s += static_cast<long>(x(i) + y(i)) + out(i) + rows(i + 1); }, left);
    std::printf("%ld %ld\n", total, left);
  }
}

/// Where lanes meet, leave their Views or read what nobody has written, and where arithmetic knows too little.
void others() {
  Doubles const x("x", n), y("y", n), fresh(Kokkos::view_alloc("fresh", Kokkos::WithoutInitializing), n);
  Longs const out("out", n), few("few", 40);
  Kokkos::parallel_scan(
      "reads what others write", Range(0, n - 1), KOKKOS_LAMBDA(int i, double& sum, bool last) {
        sum += x(i + 1);
        if (last) x(i) = sum;
      });
  Kokkos::parallel_scan(
      "all to one", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
        sum += x(i);
        if (last) y(0) = sum;
      });
  Kokkos::parallel_scan(
      "one too many", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
        sum += *(x.data() + i + 1);
        if (last) y(i) = sum;
      });
  Kokkos::parallel_scan(
      "reads what is fresh", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
        sum += fresh(i);
        if (last) y(i) = sum;
      });
  Kokkos::parallel_scan(
      "fills what is fresh", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
        sum += x(i);
        if (last && i % 2 == 0) fresh(i) = sum;
      });
  Kokkos::parallel_scan(
      "reads some of that", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
        sum += fresh(i);
        if (last) y(i) = sum;
      });
  Kokkos::parallel_scan(
      "by its value", n, KOKKOS_LAMBDA(int i, long& sum, bool last) {
        if (i % 3 != 0) return;
        if (last) out(sum) = i;
        ++sum;
      });
  Kokkos::parallel_scan(
      "one block", 40, KOKKOS_LAMBDA(int i, long& sum, bool last) {
        sum += i;
        if (last) few(i) = sum;
      });
  Kokkos::parallel_scan(
      "writes in the first call, too", n, KOKKOS_LAMBDA(int i, double& sum, bool last) {
        if (!last) y(n - 1 - i) = 0;
        sum += x(i);
      });
  Kokkos::parallel_scan(
      "beside a meeting", Range(0, n - 1), KOKKOS_LAMBDA(int i, double& sum, bool last) {
        if (last)
          y(i + 1) = sum;
        else
          sum += y(i);
      });
  double left = 0;
  Kokkos::parallel_reduce(
      "what is left", n, KOKKOS_LAMBDA(int i, double& s) { s += out(i) + few(i % 40); }, left);
  std::printf("%g\n", left);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const scope(argc, argv);
  std::string_view const name = argc > 1 ? argv[1] : "";
  if (name == "simple") simple();
  if (name == "others") others();
  return name == "simple" || name == "others" ? 0 : 2;
}
