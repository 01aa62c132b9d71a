// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges of kernels.cpp that are right, and decided each: its first launch, and one more.
#pragma once

#include "RangeMemory.hpp"

#include <cstddef>
#include <cstdio>

namespace {

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

}  // namespace
