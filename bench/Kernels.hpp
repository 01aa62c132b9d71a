// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kernels that are timed: each allocates its data once and can be run again and again. A kernel knows
/// from its own source how many accesses by lanes one run makes and how many bytes of device memory it
/// touches; instrumentation that drops accesses would show as a cost per access that is too good, and
/// bench_main checks the results.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace teamsan::bench {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;

/// n x n product in float with 16x16 tiles in level 0 scratch; n is a multiple of 16.
class Matmul {
 public:
  static constexpr int width = 16;
  explicit Matmul(int n) : m_n(n), m_a("a", n, n), m_b("b", n, n), m_c("c", n, n) {
    Kokkos::deep_copy(m_a, 1.0f);
    Kokkos::deep_copy(m_b, 2.0f);
  }
  void run() const;
  bool right() const;
  double accesses() const { return double(m_n) * m_n * (double(m_n) / width * (4 + 2 * width) + 1); }
  double bytes() const { return 12.0 * m_n * m_n; }

 private:
  int m_n;
  Matrix m_a, m_b, m_c;
};

/// Sums n doubles, 256 a team, each team by a tree in scratch; n is a multiple of 256.
class TreeReduction {
 public:
  static constexpr int width = 256;
  explicit TreeReduction(int n) : m_n(n), m_x("x", n), m_sums("sums", n / width) { Kokkos::deep_copy(m_x, 1.0); }
  void run() const;
  bool right() const;
  /// Load and store of each element, two loads and a store of each of the 255 additions, and the sum.
  double accesses() const { return double(m_n) / width * (2 * width + 3 * (width - 1) + 2); }
  double bytes() const { return 8.0 * m_n + 8.0 * m_n / width; }

 private:
  int m_n;
  Kokkos::View<double*> m_x, m_sums;
};

/// Transposes an n x n float matrix through 32x33 tiles with 32x8 threads; n is a multiple of 32.
class Transpose {
 public:
  static constexpr int width = 32, rows = 8;
  explicit Transpose(int n) : m_n(n), m_in("in", n, n), m_out("out", n, n) { Kokkos::deep_copy(m_in, 3.0f); }
  void run() const;
  bool right() const;
  double accesses() const { return 4.0 * m_n * m_n; }
  double bytes() const { return 8.0 * m_n * m_n; }

 private:
  int m_n;
  Matrix m_in, m_out;
};

/// One sweep of a 5-point stencil over n x n floats with 16x16 tiles and their halo in scratch; n is a
/// multiple of 16.
class Stencil {
 public:
  static constexpr int width = 16;
  explicit Stencil(int n) : m_n(n), m_u("u", n + 2, n + 2), m_next("next", n + 2, n + 2) { Kokkos::deep_copy(m_u, 1.0f); }
  void run() const;
  bool right() const;
  /// Load and store of each tile element and halo element, five loads and a store for each result.
  double accesses() const { return double(m_n) * m_n * (8 + 8.0 / width); }
  double bytes() const { return 8.0 * (m_n + 2) * (m_n + 2); }

 private:
  int m_n;
  Matrix m_u, m_next;
};

/// Each of n points adds itself to its 40 neighbours and sums these, as a force loop of molecular dynamics does: teams of
/// `threads` points, the neighbours dealt to `lanes` vector lanes; n is a multiple of `threads`. Nothing is reused: a team
/// comes to a new line of device memory for each neighbour.
template <int threads, int lanes>
class Neighbours {
 public:
  static constexpr int count = 40;
  explicit Neighbours(int n);
  void run() const;
  bool right() const;
  /// By each lane its point, of a neighbour the index and the point, and a store for each sum.
  double accesses() const { return double(m_n) * (3.0 * lanes + 4.0 * count + 3); }
  double bytes() const { return m_n * (48.0 + 4.0 * count); }

 private:
  int m_n;
  Kokkos::View<double*[3]> m_points, m_sums;
  Kokkos::View<int**> m_neighbours;
};

/// y = y + 2 x over n doubles, a RangePolicy: nothing but device memory.
class Axpy {
 public:
  explicit Axpy(int n) : m_x("x", n), m_y("y", n) { Kokkos::deep_copy(m_x, 1.0); }
  void run() const;
  bool right() const;
  double accesses() const { return 3.0 * m_x.extent(0); }
  double bytes() const { return 16.0 * m_x.extent(0); }

 private:
  Kokkos::View<double*> m_x, m_y;
};

}  // namespace teamsan::bench
