// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges whose accesses are affine, right and wrong ones: what is told of each, and what launches that are decided before they
// run leave for later ones, is the same with --decide 1 and without. `kernels simple`: those that are to be decided, all of
// them. `kernels beside`: those that are not. `kernels trap`: a lane that divides by 0, where that is a crash.
#include "RightRanges.hpp"
#include "WrongIndices.hpp"
#include "WrongRanges.hpp"

#include <cfenv>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

/// Ranges of several dimensions, right ones and wrong ones.
template <class Layout>
void grids() {
  Kokkos::View<double**, Layout> const u("u", rows, columns), v("v", rows, columns);
  Kokkos::View<double**, Layout> const fresh(Kokkos::view_alloc("fresh", Kokkos::WithoutInitializing), rows, columns);
  Kokkos::View<double***, Layout> const w("w", 20, 30, 40);
  Grid const all({0, 0}, {rows, columns}), inside({1, 1}, {rows - 1, columns - 1});
  Kokkos::parallel_for(
      "five points", inside,
      KOKKOS_LAMBDA(int i, int j) { v(i, j) = u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1); });
  Kokkos::parallel_for(
      "up to the border", all, KOKKOS_LAMBDA(int i, int j) { v(i, j) = u(i, j) + u(i, j + 1); });
  Kokkos::parallel_for(
      "in place", all, KOKKOS_LAMBDA(int i, int j) { u(i, j) = 2 * u(i, j) + v(i, j); });
  Kokkos::parallel_for(
      "in place, shifted", inside, KOKKOS_LAMBDA(int i, int j) { u(i, j) = u(i + 1, j); });
  Kokkos::parallel_for(
      "one row", all, KOKKOS_LAMBDA(int i, int j) { u(0, j) = i; });
  Kokkos::parallel_for(
      "one column", all, KOKKOS_LAMBDA(int i, int j) { u(i, 0) = j; });
  Kokkos::parallel_for(
      "diagonals", inside, KOKKOS_LAMBDA(int i, int j) { u.data()[i + j] = j; });
  Kokkos::parallel_for(
      "rows that overlap", Grid({0, 0}, {rows, 40}), KOKKOS_LAMBDA(int i, int j) { u.data()[39 * i + j] = i; });
  Kokkos::parallel_for(
      "rows that do not", Grid({0, 0}, {rows, 40}), KOKKOS_LAMBDA(int i, int j) { u.data()[40 * i + j] = i; });
  Kokkos::parallel_for(
      "transposed", Grid({0, 0}, {40, 40}), KOKKOS_LAMBDA(int i, int j) { v(j, i) = u(i, j); });
  Kokkos::parallel_for(
      "inside of what is fresh", inside, KOKKOS_LAMBDA(int i, int j) { fresh(i, j) = u(i, j); });
  Kokkos::parallel_for(
      "reads that", inside, KOKKOS_LAMBDA(int i, int j) { v(i, j) = fresh(i, j); });
  Kokkos::parallel_for(
      "reads the border", all, KOKKOS_LAMBDA(int i, int j) { v(i, j) = fresh(i, j); });
  Kokkos::parallel_for(
      "three", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {20, 30, 40}), KOKKOS_LAMBDA(int i, int j, int k) {
        w(i, j, k) = w(i, j, k) + i;
        if (k == 50) w(i, j, 0) = 1;
      });
  Kokkos::parallel_for(
      "three from the right",
      Kokkos::MDRangePolicy<Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>({1, 2, 3}, {20, 30, 40},
                                                                                             {2, 4, 16}),
      KOKKOS_LAMBDA(int i, int j, int k) { w(i, j, k) = w(i - 1, j - 2, k - 3); });
  Kokkos::parallel_for(
      "a plane of three", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {20, 30, 1}),
      KOKKOS_LAMBDA(int i, int j, int k) { w(i, j, k) = w(i, j, 39); });
  Kokkos::parallel_for(
      "long indices", Kokkos::MDRangePolicy<Kokkos::Rank<2>, Kokkos::IndexType<long>>({-40, 0}, {0, columns}),
      KOKKOS_LAMBDA(long i, long j) { u(i + 40, j) = v(i + 40, j); });
}

void sums(Doubles x) {
  Ints const k("k", n);
  Doubles const fresh = raw("fresh", n);
  double sum = 0;
  int count = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int i, double& s) { s += x(i); }, sum);
  Kokkos::parallel_reduce(
      "one too many", n + 1, KOKKOS_LAMBDA(int i, double& s) { s += x.data()[i]; }, sum);
  Kokkos::parallel_reduce(
      "reads what is fresh", n, KOKKOS_LAMBDA(int i, double& s) { s += fresh(i); }, sum);
  Kokkos::parallel_reduce(
      "writes, too", n, KOKKOS_LAMBDA(int i, int& s) { s += k(i) = i % 3; }, count);
  Kokkos::parallel_reduce(
      "writes to another's", Range(0, n - 1),
      KOKKOS_LAMBDA(int i, int& s) {
        s += k(i);
        k(i + 1) = 1;
      },
      count);
  Kokkos::parallel_reduce(
      "stores over the sum", n, KOKKOS_LAMBDA(int i, double& s) { s = x(i); }, sum);
  Kokkos::parallel_reduce(
      "the largest", n, KOKKOS_LAMBDA(int i, double& s) { s = Kokkos::fmax(s, x(i)); }, Kokkos::Max<double>(sum));
  Kokkos::parallel_reduce(
      "some", n,
      KOKKOS_LAMBDA(int i, double& s) {
        if (i % 7 == 0) s += x(i);
      },
      sum);
  Moments all;
  Kokkos::parallel_reduce(
      "a struct", n, KOKKOS_LAMBDA(int i, Moments& m) { m.add(x(i)); }, all);
  Kokkos::parallel_reduce(
      "a struct of one too many", n + 1, KOKKOS_LAMBDA(int i, Moments& m) { m.add(x.data()[i]); }, all);
  Kokkos::parallel_reduce(
      "a struct of what is fresh", n, KOKKOS_LAMBDA(int i, Moments& m) { m.add(fresh(i)); }, all);
  Kokkos::parallel_reduce(
      "a struct, and another's", Range(0, n - 1),
      KOKKOS_LAMBDA(int i, Moments& m) {
        m.add(k(i));
        k(i + 1) = 2;
      },
      all);
  Kokkos::parallel_reduce(
      "a struct stored over", n,
      KOKKOS_LAMBDA(int i, Moments& m) {
        m = Moments{x(i), 0, 1};
      },
      all);
  std::printf("%d %ld\n", count, all.count);
}

void matrix() {
  Kokkos::View<double**, Kokkos::LayoutLeft> a("a", n, 3);
  Kokkos::View<double**, Kokkos::LayoutRight> b("b", n, 3);
  int const column = 2;
  Kokkos::parallel_for(
      "columns", n, KOKKOS_LAMBDA(int i) { a(i, column) = a(i, 0) + a(i, 1); });
  Kokkos::parallel_for(
      "rows", n, KOKKOS_LAMBDA(int i) { b(i, 0) = b(i, 1) + b(i, column); });
  Kokkos::parallel_for(
      "across", n, KOKKOS_LAMBDA(int i) { a(i, 1) = b(i, 2); });
}

/// The same launches again, of what is not as it was any more.
struct Looked {
  double const* x;
  double* y;
  int const* order;
  KOKKOS_FUNCTION void operator()(int i) const { y[i] = x[order[i]]; }
};
struct Shifted {
  double const* x;
  double* y;
  int by;
  KOKKOS_FUNCTION void operator()(int i) const { y[i] = x[i + by]; }
};
void again(Doubles y) {
  Doubles x("x of old", n);
  Ints order("order of old", n);
  int launches = 0;
  auto const look = [&](int times = 2) {
    for (int t = 0; t != times; ++t)
      Kokkos::parallel_for("look " + std::to_string(++launches), n, Looked{x.data(), y.data(), order.data()});
  };
  auto const shift = [&](int by, int times = 2) {
    for (int t = 0; t != times; ++t)
      Kokkos::parallel_for("shift " + std::to_string(++launches), n - 10, Shifted{x.data(), y.data(), by});
  };
  look(3);
  Kokkos::deep_copy(Kokkos::subview(order, 4000), n);  // by the host
  look();
  Kokkos::deep_copy(Kokkos::subview(order, 4000), 1);
  look();
  Kokkos::parallel_for(  // by lanes of a launch that is decided
      "sets", n, KOKKOS_LAMBDA(int i) { order(i) = i == 4100 ? -1 : i; });
  look();
  Kokkos::parallel_for(
      "sets anew", n, KOKKOS_LAMBDA(int i) { order(i) = i; });
  look();
  Kokkos::parallel_for(  // of one that is not
      "sets by teams", Kokkos::TeamPolicy<>(1, 32), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& m) {
        if (m.team_rank() == 0) order(4200) = n + 3;
      });
  look();
  Kokkos::parallel_for(
      "sets anew", n, KOKKOS_LAMBDA(int i) { order(i) = i; });
  look();
  Kokkos::parallel_for(
      "updates", n, KOKKOS_LAMBDA(int i) {
        if (i == 4300) Kokkos::atomic_add(&order(i), n);
      });
  look();
  double sum = 0;
  Kokkos::View<int, Kokkos::LayoutRight, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const result(order.data() + 4300);
  Kokkos::parallel_reduce(
      "result", n, KOKKOS_LAMBDA(int i, int& s) { s += i == 5 ? 3 : 0; }, result);
  look();
  order = Ints(Kokkos::view_alloc(std::string("order of now"), Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "some", n - 1, KOKKOS_LAMBDA(int i) { order(i) = i; });
  shift(0), shift(10), shift(11), shift(10), shift(-1), shift(0);
  x = Doubles();
  x = raw("x of now", n);
  shift(0), shift(5);
  Kokkos::parallel_for(
      "fills", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
  shift(0), shift(5);
  double const* const gone = x.data();
  x = Doubles();
  for (int t = 0; t != 2; ++t) Kokkos::parallel_for("gone", n - 10, Shifted{gone, y.data(), 5});
  x = raw("x of later", n);
  shift(5);
  Doubles const other = raw("other", n);
  Kokkos::deep_copy(x, 1.);
  shift(5);
  Kokkos::deep_copy(x, other);
  shift(5);
  if (sum != 0) std::puts("a sum");
}

/// A table in the functor, and an index that may be one of bytes past it, or before it: of lanes that are not there.
struct Beside {
  Doubles x, y;
  Ints kind;
  int far;
  double table[most_kinds * most_kinds] = {};
  KOKKOS_FUNCTION void operator()(int i) const {
    if (x(i) > 1) y(i) = table[kind(i) + far];
  }
};
void beside(Doubles x, Doubles y) {
  Sparse const a;
  for (int const far : {most_kinds * most_kinds, -most_kinds})
    for (int turn = 0; turn != 2; ++turn) Kokkos::parallel_for("beside", n, Beside{x, y, a.kinds, far});
}

void trap(Doubles x, Doubles y) {
  Kokkos::deep_copy(x, 2.);
  Kokkos::deep_copy(Kokkos::subview(x, 4321), 0.);
  Kokkos::parallel_for(
      "divides by numbers", n, KOKKOS_LAMBDA(int i) { y(i) = 1 / x(i); });
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view const part = argc > 1 ? argv[1] : "";
#ifdef __GLIBC__
  if (part == "trap") feenableexcept(FE_DIVBYZERO);
#endif
  Kokkos::ScopeGuard const guard(argc, argv);
  Doubles x("x", n), y("y", n);
  Ints k("k", n);
  if (part == "trap") trap(x, y);
  if (part == "beside") return beside(x, y), 0;
  simple(x, y);
  simple_loops(x, y, Sparse());
  simple_conditions(x, y);
  if (part == "simple") return 0;
  matrix();
  grids<Kokkos::LayoutLeft>();
  grids<Kokkos::LayoutRight>();
  sums(x);
  outside(x, y, k);
  races(x, y);
  uninitialised(y);
  fences();
  freed(y);
  forms(y, k);
  looked_up(x, y);
  conditions(x, y);
  updates(y);
  again(y);
  simple(x, y);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  std::printf("%g\n", host(n - 1));
}
