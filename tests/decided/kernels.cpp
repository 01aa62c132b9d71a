// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges whose accesses are affine, right and wrong ones: what is told of each, and what launches that are decided before they
// run leave for later ones, is the same with --decide 1 and without. `kernels simple`: those that are to be decided, all of
// them. `kernels beside`: those that are not. `kernels trap`: a lane that divides by 0, where that is a crash.
#include <Kokkos_Core.hpp>

#include <cfenv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using Doubles = Kokkos::View<double*>;
using Ints = Kokkos::View<int*>;
using Range = Kokkos::RangePolicy<>;
constexpr int n = 5000;

Doubles raw(char const* label, int length) {
  return Doubles(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), length);
}

using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
constexpr int rows = 70, columns = 90, most_kinds = 30;

/// A sparse matrix of `n` rows, up to seven words in each, and an order of all its columns.
struct Sparse {
  Doubles values{"values", 7 * n};
  Ints columns{"columns", 7 * n}, rows{"rows", n + 1}, order{"order", n};
  Ints holes{"holes", n};  ///< that order, but for some rows
  Ints kinds{"kinds", n};

  Sparse() {
    auto const in_columns = Kokkos::create_mirror_view(columns), in_rows = Kokkos::create_mirror_view(rows);
    auto const in_order = Kokkos::create_mirror_view(order), in_holes = Kokkos::create_mirror_view(holes);
    auto const in_kinds = Kokkos::create_mirror_view(kinds);
    in_rows(0) = 0;
    for (int i = 0; i != n; ++i) {
      for (int k = 0; k != 7; ++k) in_columns(7 * i + k) = (i + (k - 3) * 61 + n) % n;
      in_rows(i + 1) = in_rows(i) + (i % 11 == 0 || i > n - 5 ? 0 : 3 + i % 5);
      in_order(i) = static_cast<int>(i * 7919l % n);
      in_holes(i) = i % 5 == 2 ? -1 : in_order(i);
      in_kinds(i) = i % most_kinds;
    }
    Kokkos::deep_copy(columns, in_columns);
    Kokkos::deep_copy(rows, in_rows);
    Kokkos::deep_copy(order, in_order);
    Kokkos::deep_copy(holes, in_holes);
    Kokkos::deep_copy(kinds, in_kinds);
  }
};

/// Of numbers, as a program's own struct.
struct Moments {
  double sum = 0, squares = 0;
  long count = 0;
  KOKKOS_FUNCTION void add(double x) { sum += x, squares += x * x, ++count; }
  KOKKOS_FUNCTION Moments& operator+=(Moments const& other) {
    sum += other.sum, squares += other.squares, count += other.count;
    return *this;
  }
};

/// A functor with a large table, in which a pair of kinds is looked up.
struct ByKinds {
  Doubles x, y;
  Ints kind;
  double table[most_kinds][most_kinds] = {};
  KOKKOS_FUNCTION void operator()(int i) const { y(i) = table[kind(i)][kind(n - 1 - i)] * x(i); }
};

/// Where indices are looked up, and in loops.
void simple_loops(Doubles x, Doubles y, Sparse const& a) {
  Kokkos::View<double**, Kokkos::LayoutLeft> const left("left", n, 20);
  Kokkos::View<double**, Kokkos::LayoutRight> const right("right", n, 20);
  int const least = -2, most = 3;
  for (int turn = 0; turn != 2; ++turn) {
    Kokkos::parallel_for(
        "gather", n, KOKKOS_LAMBDA(int i) { y(i) = x(a.order(i)); });
    Kokkos::parallel_for(
        "gather twice", n, KOKKOS_LAMBDA(int i) { y(i) = x(a.columns(a.order(i))); });
    Kokkos::parallel_for(
        "seven a row", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = 0; k < 7; ++k) sum += a.values(7 * i + k) * x(a.columns(7 * i + k));
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "sparse", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = a.rows(i); k < a.rows(i + 1); ++k) sum += a.values(k) * x(a.columns(k));
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "sparse in place", n, KOKKOS_LAMBDA(int i) {
          y(i) = 0;
          for (long k = a.rows(i); k < a.rows(i + 1); ++k) {
            if (a.columns(k) == i) continue;
            y(i) += a.values(k) * x(a.columns(k));
          }
        });
    Kokkos::parallel_for(
        "columns side by side", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = 0; k < left.extent_int(1); ++k) sum += left(i, k) * x(k);
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "rows side by side", n, KOKKOS_LAMBDA(int i) {
          for (std::size_t k = 0; k < right.extent(1); ++k) right(i, k) = right(i, k) + x(i);
        });
    Kokkos::parallel_for(
        "stencil by a loop", Range(-least, n - most), KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = least; k <= most; ++k) sum += x(i + k);
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "down", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = 19; k >= 0; --k) sum += left(i, k);
          for (unsigned k = 20; k-- > 0;) sum += right(i, k);
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "tiles", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int j = 0; j < 20; j += 5)
            for (int k = j; k < j + 5; ++k) sum += right(i, k);
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "around", n, KOKKOS_LAMBDA(int i) {
          y(i) = x((i + 1) % n) + x((i + n - 1) % n) + x(Kokkos::min(i + 1, n - 1)) + x(i / 2);
        });
    Kokkos::parallel_for(
        "scatter", n, KOKKOS_LAMBDA(int i) { y(a.order(i)) = x(i); });
    Kokkos::parallel_for(
        "scatter rows", n, KOKKOS_LAMBDA(int i) {
          for (int k = 0; k < 20; ++k) right(a.order(i), k) += x(i);
        });
    Kokkos::parallel_for(
        "scatter with holes", n, KOKKOS_LAMBDA(int i) {
          if (a.holes(i) != -1) y(a.holes(i)) = y(a.holes(i)) + x(i);
        });
    Kokkos::parallel_for(
        "gather with holes", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = 0; k < 3; ++k) {
            int const j = a.holes((i + k) % n);
            if (j >= 0) sum += x(j);
          }
          y(i) = sum;
        });
    Kokkos::parallel_for(
        "mirrored", n, KOKKOS_LAMBDA(int i) {
          int const column = i % 10;
          y(i) = x(i / 10 * 10 + 2 * 5 - 1 - column);
        });
    double sum = 0;
    Kokkos::parallel_reduce(
        "sum of rows", n,
        KOKKOS_LAMBDA(int i, double& s) {
          for (int k = 0; k < 20; ++k) s += right(i, k) * x(a.order(i));
        },
        sum);
    Moments all;
    Kokkos::parallel_reduce(
        "sum of structs", n,
        KOKKOS_LAMBDA(int i, Moments& m) {
          for (int k = 0; k < 20; ++k) m.add(right(i, k) * x(a.order(i)));
        },
        all);
    Kokkos::ValLocScalar<double, int> least;
    Kokkos::parallel_reduce(
        "the least one's place", n,
        KOKKOS_LAMBDA(int i, Kokkos::ValLocScalar<double, int>& l) {
          if (x(i) < l.val) l = {x(i), i};
        },
        Kokkos::MinLoc<double, int>(least));
    if (sum != sum || all.sum != all.sum || least.loc < 0) std::puts("no number");
    Kokkos::parallel_for("by kinds", n, ByKinds{x, y, a.kinds});
  }
}

/// Under conditions that keep lanes from what lies outside, by updates that lanes share, and of narrow elements.
void simple_conditions(Doubles x, Doubles y) {
  int const width = 50, height = n / width, halo = 2;
  Kokkos::View<char*> const bytes("bytes", n + 3);
  Kokkos::View<short*> const shorts("shorts", n);
  Kokkos::View<bool*> const flags("flags", n);
  Ints const bins("bins", 16), to_bins("to bins", n);
  Kokkos::View<double***, Kokkos::LayoutRight> const cube("cube", n / width / 20, 20, width);
  Kokkos::View<double**> const planes("planes", n / width / 20, width), across("across", width, height);
  Kokkos::View<unsigned long*> const wide_bins("wide bins", 16);
  Doubles const totals("totals", 16);
  Kokkos::View<float*> const floats("floats", 16);
  for (int turn = 0; turn != 2; ++turn) {
    Kokkos::parallel_for(
        "inside", n, KOKKOS_LAMBDA(int i) {
          if (i > 0 && i < n - 1) y(i) = x(i - 1) + x(i + 1);
        });
    Kokkos::parallel_for(
        "rows inside", n, KOKKOS_LAMBDA(int i) {
          int const column = i % width, row = i / width;
          if (row >= halo && row < height - halo && column >= halo && column < width - halo)
            y(i) = x(i) + x(i - 1) + x(i + 1) + x(i - width) + x(i + width);
        });
    Kokkos::parallel_for(
        "early out", n, KOKKOS_LAMBDA(int i) {
          if (i == 0 || i >= n - 3) return;
          y(i) = x(i - 1) * x(i + 2);
        });
    Kokkos::parallel_for(
        "ends", n, KOKKOS_LAMBDA(int i) {
          if (i == 0) y(n - 1) = x(n - 1);
          if (i == n - 1) y(0) = x(0);
        });
    Kokkos::parallel_for(
        "sizes", Kokkos::RangePolicy<Kokkos::IndexType<std::size_t>>(0, n), KOKKOS_LAMBDA(std::size_t i) {
          if (i != 0) y(i) = x(i - 1);
        });
    Kokkos::parallel_for(
        "grid inside", Grid({0, 0}, {height, width}), KOKKOS_LAMBDA(int i, int j) {
          if (i >= 1 && j >= 1 && i <= height - 2 && j <= width - 2)
            y(i * width + j) = x((i - 1) * width + j - 1) + x((i + 1) * width + j + 1);
        });
    Kokkos::parallel_for(
        "taken apart", n, KOKKOS_LAMBDA(int i) {
          int const k = i / (20 * width), j = (i - k * 20 * width) / width, column = i - k * 20 * width - j * width;
          cube(k, j, column) = cube(k, j, column) + planes(k, column);
        });
    Kokkos::parallel_for(
        "transposed", n, KOKKOS_LAMBDA(int i) {
          int const row = i / width, column = i % width;
          if (row > 0 && column < width - 1) across(column, row) = x((row - 1) * width + column + 1);
        });
    double sum = 0;
    Kokkos::parallel_reduce(
        "sum inside", n,
        KOKKOS_LAMBDA(int i, double& s) {
          if (i / width > 0) s += x(i - width);
        },
        sum);
    Kokkos::parallel_for(
        "narrow", n, KOKKOS_LAMBDA(int i) {
          bytes(i) = static_cast<char>(shorts(i) + i);
          flags(i) = i % 2 == 0 && !flags(i);
        });
    Kokkos::parallel_for(
        "narrow indices", n, KOKKOS_LAMBDA(int i) { y(i) = x(bytes(i) + 128) + x(shorts(i)); });
    Kokkos::parallel_for(
        "bins", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&bins(i % 16), 1); });
    Kokkos::parallel_for(
        "bins looked up", n, KOKKOS_LAMBDA(int i) {
          Kokkos::atomic_inc(&wide_bins(to_bins(i)));
          if (i % 3 == 0) Kokkos::atomic_sub(&bins(to_bins(i) + 1), 2);
        });
    Kokkos::parallel_for(
        "sums in bins", n, KOKKOS_LAMBDA(int i) {
          Kokkos::atomic_add(&totals(to_bins(i)), x(i));
          Kokkos::atomic_sub(&floats(i % 7), 1.f);
        });
    Kokkos::parallel_for(
        "most in bins", n, KOKKOS_LAMBDA(int i) {
          Kokkos::atomic_max(&totals(i / 500), x(i));
          Kokkos::atomic_min(&bins(i % 3), i);
        });
    if (sum != sum) std::puts("no number");
  }
}

/// Each is decided: its first launch, and one more.
void simple(Doubles x, Doubles y) {
  Kokkos::View<double**> const u("u", rows, columns), v("v", rows, columns);
  for (int turn = 0; turn != 2; ++turn) {
    Kokkos::parallel_for(
        "store", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
    Kokkos::parallel_for(
        "axpy", n, KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i); });
    Kokkos::parallel_for(
        "stencil", Range(1, n - 1), KOKKOS_LAMBDA(int i) { y(i) = x(i - 1) + x(i + 1) - 2 * x(i); });
    Kokkos::parallel_for(
        "root", n, KOKKOS_LAMBDA(int i) { y(i) = Kokkos::sqrt(Kokkos::abs(x(i))); });
    Kokkos::parallel_for(
        "reversed", n, KOKKOS_LAMBDA(int i) { y(n - 1 - i) = x(i); });
    Kokkos::parallel_for(
        "some", n, KOKKOS_LAMBDA(int i) {
          if (i % 3 == 0) y(i) = x(i);
        });
    Kokkos::parallel_for(
        "even", n / 2, KOKKOS_LAMBDA(int i) {
          y(2 * i) = x(i);
          y(2 * i + 1) = x(i + n / 2);
        });
    Kokkos::parallel_for(
        "long", Kokkos::RangePolicy<Kokkos::IndexType<long>>(-n, 0), KOKKOS_LAMBDA(long i) { x(i + n) = 1; });
    double dot = 0;
    Kokkos::parallel_reduce(
        "dot", n, KOKKOS_LAMBDA(int i, double& sum) { sum += x(i) * y(i); }, dot);
    if (dot != 0) std::printf("%g\n", dot);
    Kokkos::parallel_for(
        "grid", Grid({1, 1}, {rows - 1, columns - 1}),
        KOKKOS_LAMBDA(int i, int j) { v(i, j) = u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1); });
  }
}

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

/// Outside, by one and by much, before and behind.
void outside(Doubles x, Doubles y, Ints k) {
  Kokkos::parallel_for(
      "one behind", n, KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + i + 1); });
  Kokkos::parallel_for(
      "one before", n, KOKKOS_LAMBDA(int i) { *(y.data() + i - 1) = i; });
  Kokkos::parallel_for(
      "last one", n + 1, KOKKOS_LAMBDA(int i) { *(y.data() + i) = i; });
  Kokkos::parallel_for(
      "not reached", n, KOKKOS_LAMBDA(int i) {
        if (i > 0) y(i) = *(x.data() + i - 1);
      });
  int const far = 1 << 20;
  Kokkos::parallel_for(
      "wraps", n, KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + static_cast<int>(static_cast<unsigned>(i) * far * 4096)); });
  unsigned const less = 4294967295u;
  Kokkos::parallel_for(
      "wraps once", Range(1, n), KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + (static_cast<unsigned>(i) + less)); });
  Kokkos::parallel_for(
      "odd", n / 2, KOKKOS_LAMBDA(int i) {
        auto* const at = reinterpret_cast<double*>(reinterpret_cast<char*>(x.data()) + 8 * i + 4);
        *at = 1;
      });
  Kokkos::parallel_for(
      "narrow", n, KOKKOS_LAMBDA(int i) { k(static_cast<unsigned char>(i)) = 0; });
}

/// Lanes that meet.
void races(Doubles x, Doubles y) {
  int const stride = 2, none = 0, back = -1;
  Kokkos::parallel_for(
      "neighbours", Range(0, n - 1), KOKKOS_LAMBDA(int i) { x(i) = x(i + 1); });
  Kokkos::parallel_for(
      "neighbours by pointer", Range(1, n), KOKKOS_LAMBDA(int i) { *(x.data() + i) = *(x.data() + i - 1) + y(i); });
  Kokkos::parallel_for(
      "same place", n, KOKKOS_LAMBDA(int i) { x(0) = i; });
  Kokkos::parallel_for(
      "same place by stride", n, KOKKOS_LAMBDA(int i) { x(none * i) = i; });
  Kokkos::parallel_for(
      "both ways", n, KOKKOS_LAMBDA(int i) { x(i) = x(n - 1 - i); });
  Kokkos::parallel_for(
      "strides", n / 2, KOKKOS_LAMBDA(int i) { x(stride * i) = x(i); });
  Kokkos::parallel_for(
      "backwards", Range(1, n), KOKKOS_LAMBDA(int i) { x(n - 1 + back * i) = x(n + back * i); });
  Kokkos::parallel_for(
      "pairs that overlap", n / 2 - 1, KOKKOS_LAMBDA(int i) {
        x(stride * i) = i;
        x(stride * i + 2) = i;
      });
  auto const low = Kokkos::subview(x, std::pair<int, int>(0, n - 7));
  auto const high = Kokkos::subview(x, std::pair<int, int>(7, n));
  Kokkos::parallel_for(
      "subviews", n - 7, KOKKOS_LAMBDA(int i) { low(i) = high(i); });
  double* const aliased = x.data() + 300;
  Kokkos::parallel_for(
      "raw pointer", n - 300, KOKKOS_LAMBDA(int i) { aliased[i] = x(i); });
  auto const first = Kokkos::subview(x, std::pair<int, int>(0, n / 2));
  auto const second = Kokkos::subview(x, std::pair<int, int>(n / 2, n));
  Kokkos::parallel_for(
      "halves", n / 2, KOKKOS_LAMBDA(int i) { first(i) = second(i); });
  Kokkos::parallel_for(
      "sum", n, KOKKOS_LAMBDA(int i) { x(0) += y(i); });
}

/// What nobody has written, and what was written by launches that are decided.
void uninitialised(Doubles y) {
  Doubles tail = raw("tail", n), all = raw("all", n), gaps = raw("gaps", 2 * n), some = raw("some", n), again = raw("again", n);
  Kokkos::parallel_for(
      "all but the tail", n - 10, KOKKOS_LAMBDA(int i) { tail(i) = i; });
  Kokkos::parallel_for(
      "reads the tail", n, KOKKOS_LAMBDA(int i) { y(i) = tail(i); });
  Kokkos::parallel_for(
      "whole", n, KOKKOS_LAMBDA(int i) { all(i) = i; });
  Kokkos::parallel_for(
      "reads the whole", n, KOKKOS_LAMBDA(int i) { y(i) = all(i); });
  Kokkos::parallel_for(
      "every other", n, KOKKOS_LAMBDA(int i) { gaps(2 * i) = i; });
  Kokkos::parallel_for(
      "reads every other", n, KOKKOS_LAMBDA(int i) { y(i) = gaps(2 * i); });
  Kokkos::parallel_for(
      "reads the gaps", n, KOKKOS_LAMBDA(int i) { y(i) = gaps(2 * i + 1); });
  Kokkos::parallel_for(
      "a third", n, KOKKOS_LAMBDA(int i) {
        if (i % 3 == 0) some(i) = i;
      });
  Kokkos::parallel_for(
      "reads the third", n, KOKKOS_LAMBDA(int i) { y(i) = some(i); });
  Kokkos::parallel_for(
      "reads what it has written", n, KOKKOS_LAMBDA(int i) {
        again(i) = i;
        y(i) = again(n - 1 - i);
      });
  Kokkos::deep_copy(all, tail);
  Kokkos::parallel_for(
      "reads the copy", n, KOKKOS_LAMBDA(int i) { y(i) = all(i); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gaps);
  if (host(0) != 0) std::puts("gaps begin elsewhere");
  for (int turn = 0; turn != 3; ++turn) {  // memory that was written, and handed out anew
    Doubles other = raw("other", n);
    if (turn != 1)
      Kokkos::parallel_for(
          "other", n, KOKKOS_LAMBDA(int i) { other(i) = turn; });
    Kokkos::parallel_for(
        "reads the other", n, KOKKOS_LAMBDA(int i) { y(i) = other(i); });
  }
}

/// What the host reaches, before and behind fences.
void fences() {
  Kokkos::View<double*, Kokkos::SharedSpace> shared("shared", n);
  Kokkos::parallel_for(
      "shared", n, KOKKOS_LAMBDA(int i) { shared(i) = i; });
  shared(3) = 1;
  Kokkos::fence();
  shared(3) = 2;
  Kokkos::parallel_for(
      "shared again", n, KOKKOS_LAMBDA(int i) { shared(i) += i; });
  Kokkos::fence();
  double* const host = new double[n]();
  Kokkos::parallel_for(
      "host memory", n, KOKKOS_LAMBDA(int i) { host[i] = i; });
  delete[] host;
}

void freed(Doubles y) {
  double const* gone = nullptr;
  {
    Doubles short_lived("short lived", n);
    gone = short_lived.data();
  }
  Kokkos::parallel_for(
      "freed", n, KOKKOS_LAMBDA(int i) { y(i) = gone[i]; });
}

struct Pair {
  float a, b;
};
struct Member {
  Doubles x;
  int shift;
  KOKKOS_FUNCTION void operator()(int i) const { x(i + shift) = i; }
};

void forms(Doubles y, Ints k) {
  Kokkos::View<Pair*> pairs("pairs", n);
  Kokkos::View<Kokkos::complex<double>*> numbers("numbers", n);
  Kokkos::View<char*> bytes("bytes", n);
  Kokkos::parallel_for(
      "members", n, KOKKOS_LAMBDA(int i) { pairs(i).a = pairs(i).b; });
  Kokkos::parallel_for(
      "structs", n, KOKKOS_LAMBDA(int i) {
        pairs(i) = Pair{1, 2};
      });
  Kokkos::parallel_for(
      "complex", n, KOKKOS_LAMBDA(int i) { numbers(i) = numbers(i) * 2.; });
  auto* const odd = reinterpret_cast<Kokkos::complex<double>*>(y.data() + 1);  // which the compiler takes for even
  Kokkos::parallel_for(
      "complex at odd words", n / 4 - 1, KOKKOS_LAMBDA(int i) {
        Kokkos::complex<double> sum = 0;
        for (int k = 0; k < 2; ++k) sum += odd[2 * i + k];
        numbers(i) = sum;
      });
  Kokkos::parallel_for(
      "bytes", n, KOKKOS_LAMBDA(int i) { bytes(i) = static_cast<char>(i); });
  Kokkos::parallel_for(
      "ints", n, KOKKOS_LAMBDA(int i) { k(i) = i; });
  Kokkos::parallel_for(
      "gather", n, KOKKOS_LAMBDA(int i) { y(i) = k(k(i)); });
  Kokkos::parallel_for("functor", n - 5, Member{y, 5});
  Kokkos::parallel_for("functor outside", n, Member{y, 5});
  Kokkos::parallel_for(
      "loop", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int j = 0; j < k(i) % 4; ++j) sum += y(j);
        k(i) = static_cast<int>(sum);
      });
  Kokkos::parallel_for(
      "atomics", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&k(i % 8), 1); });
  int const by = k.extent_int(0) > 0 ? 3 : 0;
  Kokkos::parallel_for(
      "divides", n, KOKKOS_LAMBDA(int i) { y(i) = i / by; });
}

/// Indices that are looked up, wrong ones and such as another lane changes.
void looked_up(Doubles x, Doubles y) {
  Sparse a;
  Doubles const fresh = raw("fresh", n), some = raw("some", n);
  auto const set = [](Ints of, int which, int to) { Kokkos::deep_copy(Kokkos::subview(of, which), to); };
  for (int const wrong : {n, n + 1, -1, -20, 3 * n, 1 << 20}) {
    Ints const order("order", n);
    Kokkos::deep_copy(order, a.order);
    set(order, 4000, wrong);
    Kokkos::parallel_for(
        "gather with a wrong index", n, KOKKOS_LAMBDA(int i) { y(i) = *(x.data() + order(i)); });
    Kokkos::parallel_for(
        "and what does not come to it", n, KOKKOS_LAMBDA(int i) {
          if (i < 3000) y(i) = *(x.data() + order(i));
        });
    Kokkos::parallel_for(
        "and what steps over it", n, KOKKOS_LAMBDA(int i) {
          if (order(i) >= 0 && order(i) < n) y(i) = x(order(i));
        });
    Kokkos::parallel_for(
        "scatter", n, KOKKOS_LAMBDA(int i) { *(y.data() + order(i)) = i; });
  }
  Kokkos::parallel_for(
      "others' indices", n, KOKKOS_LAMBDA(int i) {
        a.order(n - 1 - i) = i;
        y(i) = x(a.order(i));
      });
  Kokkos::parallel_for(
      "own indices", n, KOKKOS_LAMBDA(int i) {
        a.order(i) = n - 1 - i;
        y(i) = x(a.order(i));
      });
  Kokkos::parallel_for(
      "gather in place", n, KOKKOS_LAMBDA(int i) { x(i) = x(a.order(i)); });
  Kokkos::parallel_for(
      "scatter in order", n, KOKKOS_LAMBDA(int i) { y(a.order(i)) = i; });
  Kokkos::parallel_for(
      "gather of what is fresh", n, KOKKOS_LAMBDA(int i) { y(i) = fresh(a.order(i)); });
  Kokkos::parallel_for(
      "half of it", n / 2, KOKKOS_LAMBDA(int i) { some(i) = i; });
  Kokkos::parallel_for(
      "gather of the half", n, KOKKOS_LAMBDA(int i) { y(i) = some(a.order(i) / 2); });
  Kokkos::parallel_for(
      "gather of more", n, KOKKOS_LAMBDA(int i) { y(i) = some(a.order(i)); });
  Ints const no_indices(Kokkos::view_alloc(std::string("no indices"), Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "indices of no value", n, KOKKOS_LAMBDA(int i) { y(i) = x.data()[no_indices(i) & 7]; });
  set(a.rows, n, 7 * n + 2);
  Kokkos::parallel_for(
      "a row too long", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = a.rows(i); k < a.rows(i + 1); ++k) sum += *(a.values.data() + k);
        y(i) = sum;
      });
  set(a.rows, n, 0);
  Kokkos::parallel_for(
      "a row of less than nothing", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = a.rows(i); k < a.rows(i + 1); ++k) sum += a.values(k);
        y(i) = sum;
      });
  Kokkos::View<double**, Kokkos::LayoutRight> const rows_of("rows", n, 20);
  int const none = 0, longer = 21, backwards = -5;
  Kokkos::parallel_for(
      "no turns", n, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < none; ++k) y(i + n * k + n) = k;
        for (int k = 0; k < backwards; ++k) y(i) = fresh(k);
      });
  Kokkos::parallel_for(
      "a turn too many", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = 0; k < longer; ++k) sum += *(rows_of.data() + 20 * i + k);
        y(i) = sum;
      });
  Kokkos::parallel_for(
      "a turn into the next row", n - 1, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k != longer; ++k) *(rows_of.data() + 20 * i + k) = i;
      });
  Kokkos::parallel_for(
      "one word for all turns", n, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < longer; ++k) y(k) = i;
      });
  Kokkos::parallel_for(
      "triangle", 20, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k <= i; ++k) rows_of(i, k) = rows_of(k, i);
      });
  Kokkos::parallel_for(
      "until it is found", n, KOKKOS_LAMBDA(int i) {
        int k = 0;
        while (k < 7 && a.columns(7 * i + k) != i) ++k;
        y(i) = k;
      });
  Kokkos::parallel_for(
      "as long as there are", n, KOKKOS_LAMBDA(int i) {
        int k = i;
        while (a.order(k) < k) k = a.order(k);
        y(i) = k;
      });
  Kokkos::parallel_for(
      "turns that wrap around", n, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (unsigned k = 19; k < 20; --k) sum += rows_of(i, k);
        for (unsigned char k = 250; k != 3; ++k) sum += x.data()[k];
        y(i) = sum;
      });
}

/// Conditions that let too many through, or the wrong ones.
void conditions(Doubles x, Doubles y) {
  int const width = 50, height = n / width;
  Doubles const out("out", n);
  Kokkos::parallel_for(
      "one too many", n, KOKKOS_LAMBDA(int i) {
        if (i >= 0 && i <= n - 1) y(i) = *(x.data() + i + 1);
      });
  Kokkos::parallel_for(
      "all but one", n, KOKKOS_LAMBDA(int i) {
        if (i != 1) y(i) = *(x.data() + i - 1);
      });
  Kokkos::parallel_for(
      "the first alone", n, KOKKOS_LAMBDA(int i) {
        if (i < 1) y(i) = *(x.data() + i - 1);
      });
  Kokkos::parallel_for(
      "either", n, KOKKOS_LAMBDA(int i) {
        if (i > 0 || y(i) > 1e9) out(i) = *(x.data() + i - 1);
      });
  Kokkos::parallel_for(
      "rows to the end", n, KOKKOS_LAMBDA(int i) {
        if (i / width >= 1 && i / width < height) y(i) = *(x.data() + i - width) + *(x.data() + i + width);
      });
  Kokkos::parallel_for(
      "columns alone", n, KOKKOS_LAMBDA(int i) {
        if (i % width >= 1 && i % width < width - 1) y(i) = *(x.data() + i - width);
      });
  Kokkos::parallel_for(
      "taken apart by another number", n, KOKKOS_LAMBDA(int i) {
        int const row = i / width, column = i % (width + 1);
        x(row * width + column) = 1;
      });
  Kokkos::parallel_for(
      "rows that overlap", n, KOKKOS_LAMBDA(int i) {
        int const row = i / width, column = i % width;
        x(row * (width - 1) + column) = 1;
      });
  Kokkos::parallel_for(
      "columns alone are stored to", n, KOKKOS_LAMBDA(int i) { x(i % width) = 1; });
  Kokkos::parallel_for(
      "halves that meet", n, KOKKOS_LAMBDA(int i) {
        if (i < n / 2) x(i) = 1;
        if (i >= n / 2) y(i) = x(i - 1);
      });
  Kokkos::parallel_for(
      "halves that do not", n, KOKKOS_LAMBDA(int i) {
        if (i < n / 2) x(i) = 1;
        if (i > n / 2) y(i) = x(i - 1);
      });
  Kokkos::parallel_for(
      "two lanes", n, KOKKOS_LAMBDA(int i) {
        if (i == 3000) x(7) = 1;
        if (i == 3001) x(7) = 2;
      });
  Kokkos::parallel_for(
      "one lane", n, KOKKOS_LAMBDA(int i) {
        if (i == 3000) x(7) = 1;
        if (i == 3000) x(7) += 2;
      });
  Kokkos::parallel_for(
      "the other way round", n, KOKKOS_LAMBDA(int i) {
        if (i < n - 1) return;
        y(i) = *(x.data() + i + 1);
      });
  Kokkos::parallel_for(
      "without a sign", Kokkos::RangePolicy<Kokkos::IndexType<unsigned>>(0, n), KOKKOS_LAMBDA(unsigned i) {
        if (i - 1 < 4000u) y(i) = *(x.data() + i - 1);
        if (i - 1 < 4294967295u) out(i) = *(x.data() + i - 1);
        if (i - 1 > 5u) out(i) = *(x.data() + i - 7);
      });
}

/// Updates that others' accesses meet.
void updates(Doubles y) {
  Ints const bins("bins", 16), fresh(Kokkos::view_alloc(std::string("fresh"), Kokkos::WithoutInitializing), 16);
  Kokkos::parallel_for(
      "of what is read", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&bins(i % 16), 1);
        y(i) = bins(0);
      });
  Kokkos::parallel_for(
      "of what is written", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&bins(i % 16), 1);
        if (i == 4000) bins(3) = 0;
      });
  Kokkos::parallel_for(
      "of what is fresh", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&fresh(i % 16), 1); });
  Kokkos::parallel_for(
      "outside", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(bins.data() + i % 17, 1); });
  Kokkos::parallel_for(
      "of half of it", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(reinterpret_cast<unsigned long*>(bins.data()) + i % 8, 1ul);
        if (i == 4000) Kokkos::atomic_add(bins.data() + 5, 1);
      });
  Kokkos::parallel_for(
      "that give back", n, KOKKOS_LAMBDA(int i) { y(i) = Kokkos::atomic_fetch_add(&bins(i % 16), 0); });
  Kokkos::parallel_for(
      "that would give back", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_fetch_add(&bins(i % 16), 1); });
  Kokkos::View<char*> const bytes("bytes", n);
  Kokkos::parallel_for(
      "bytes that meet", n - 1, KOKKOS_LAMBDA(int i) { bytes(i) = bytes(i + 1); });
  Kokkos::parallel_for(
      "bytes outside", n, KOKKOS_LAMBDA(int i) { *(bytes.data() + i + 1) = 1; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bins);
  for (int i = 0; i != 16; ++i) std::printf("%d ", host(i));
  std::puts("in bins");
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
