// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ranges of kernels.cpp work on.
#pragma once

#include <Kokkos_Core.hpp>

#include <string>

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

}  // namespace
