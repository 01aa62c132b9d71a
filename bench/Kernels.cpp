// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Kernels.hpp"

namespace teamsan::bench {

namespace {

/// The first, the last and one element between are `value`.
template <class View>
bool holds(View const& view, float value) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  auto const* data = host.data();
  std::size_t const last = host.size() - 1;
  return data[0] == value && data[last / 3] == value && data[last] == value;
}

}  // namespace

void Matmul::run() const {
  using Tile = Kokkos::View<float[width][width], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;
  auto const a = m_a, b = m_b, c = m_c;
  int const blocks = m_n / width;
  auto const policy = Policy(blocks * blocks, width * width).set_scratch_size(0, Kokkos::PerTeam(2 * Tile::shmem_size()));
  Kokkos::parallel_for(
      "matmul", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile as(team.team_scratch(0)), bs(team.team_scratch(0));
        int const tx = team.team_rank() % width, ty = team.team_rank() / width;
        int const row = team.league_rank() / blocks * width + ty;
        int const column = team.league_rank() % blocks * width + tx;
        float sum = 0;
        for (int block = 0; block < blocks; ++block) {
          as(ty, tx) = a(row, block * width + tx);
          bs(ty, tx) = b(block * width + ty, column);
          team.team_barrier();
          for (int k = 0; k < width; ++k) sum += as(ty, k) * bs(k, tx);
          team.team_barrier();
        }
        c(row, column) = sum;
      });
  Kokkos::fence();
}

bool Matmul::right() const { return holds(m_c, 2.0f * m_n); }

void TreeReduction::run() const {
  using Part = Kokkos::View<double[width], Scratch, Kokkos::MemoryUnmanaged>;
  auto const x = m_x, sums = m_sums;
  auto const policy = Policy(m_n / width, width).set_scratch_size(0, Kokkos::PerTeam(Part::shmem_size()));
  Kokkos::parallel_for(
      "tree_reduction", policy, KOKKOS_LAMBDA(Member const& team) {
        Part part(team.team_scratch(0));
        int const t = team.team_rank();
        part(t) = x(team.league_rank() * width + t);
        for (int stride = width / 2; stride > 0; stride /= 2) {
          team.team_barrier();
          if (t < stride) part(t) += part(t + stride);
        }
        if (t == 0) sums(team.league_rank()) = part(0);
      });
  Kokkos::fence();
}

bool TreeReduction::right() const { return holds(m_sums, width); }

void Transpose::run() const {
  using Tile = Kokkos::View<float[width][width + 1], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;
  auto const in = m_in, out = m_out;
  int const blocks = m_n / width;
  auto const policy = Policy(blocks * blocks, width * rows).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0));
        int const tx = team.team_rank() % width, ty = team.team_rank() / width;
        int const row = team.league_rank() / blocks * width, column = team.league_rank() % blocks * width;
        for (int j = 0; j < width; j += rows) tile(ty + j, tx) = in(row + ty + j, column + tx);
        team.team_barrier();
        for (int j = 0; j < width; j += rows) out(column + ty + j, row + tx) = tile(tx, ty + j);
      });
  Kokkos::fence();
}

bool Transpose::right() const { return holds(m_out, 3.0f); }

void Stencil::run() const {
  using Tile = Kokkos::View<float[width + 2][width + 2], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;
  auto const u = m_u, next = m_next;
  int const blocks = m_n / width;
  auto const policy = Policy(blocks * blocks, width * width).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "stencil", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0));
        int const tx = team.team_rank() % width + 1, ty = team.team_rank() / width + 1;
        int const row = team.league_rank() / blocks * width, column = team.league_rank() % blocks * width;
        tile(ty, tx) = u(row + ty, column + tx);
        if (ty == 1) tile(0, tx) = u(row, column + tx);
        if (ty == width) tile(width + 1, tx) = u(row + width + 1, column + tx);
        if (tx == 1) tile(ty, 0) = u(row + ty, column);
        if (tx == width) tile(ty, width + 1) = u(row + ty, column + width + 1);
        team.team_barrier();
        float const around = tile(ty - 1, tx) + tile(ty + 1, tx) + tile(ty, tx - 1) + tile(ty, tx + 1);
        next(row + ty, column + tx) = 0.25f * around + tile(ty, tx);
      });
  Kokkos::fence();
}

template <int threads, int lanes>
Neighbours<threads, lanes>::Neighbours(int n)
    : m_n(n), m_points("points", n), m_sums("sums", n), m_neighbours("neighbours", n, count) {
  Kokkos::deep_copy(m_points, 1.0);
  auto const neighbours = Kokkos::create_mirror_view(m_neighbours);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < count; ++k) neighbours(i, k) = static_cast<int>((i + 1 + 13LL * k) % n);
  Kokkos::deep_copy(m_neighbours, neighbours);
}

template <int threads, int lanes>
void Neighbours<threads, lanes>::run() const {
  auto const points = m_points, sums = m_sums;
  auto const neighbours = m_neighbours;
  Kokkos::parallel_for(
      "sum_of_neighbours", Policy(m_n / threads, threads, lanes), KOKKOS_LAMBDA(Member const& team) {
        int const first = team.league_rank() * threads;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, first + threads), [&](int i) {
          double x = points(i, 0), y = points(i, 1), z = points(i, 2), sum[3] = {};
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, count),
              [&](int k, double& by_x, double& by_y, double& by_z) {
                int const j = neighbours(i, k);
                by_x += points(j, 0) + x;
                by_y += points(j, 1) + y;
                by_z += points(j, 2) + z;
              },
              sum[0], sum[1], sum[2]);
          Kokkos::single(Kokkos::PerThread(team), [&] {
            for (int d = 0; d < 3; ++d) sums(i, d) = sum[d];
          });
        });
      });
  Kokkos::fence();
}

template <int threads, int lanes>
bool Neighbours<threads, lanes>::right() const {
  return holds(m_sums, 2.0f * count);
}

template class Neighbours<1, 1>;
template class Neighbours<8, 4>;

void Axpy::run() const {
  auto const x = m_x, y = m_y;
  Kokkos::parallel_for(
      "axpy", x.extent(0), KOKKOS_LAMBDA(int i) { y(i) += 2 * x(i); });
  Kokkos::fence();
}

bool Axpy::right() const {
  auto const y = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_y);
  double const first = y(0);  // two for each run
  for (std::size_t i = 0; i != y.extent(0); ++i)
    if (y(i) != first) return false;
  return first >= 2;
}

bool Stencil::right() const {
  int const n = m_n;
  auto const inner = Kokkos::subview(m_next, n / 2, Kokkos::make_pair(1, n + 1));
  Kokkos::View<float*> row("row", n);
  Kokkos::deep_copy(row, inner);
  return holds(row, 2.0f);
}

}  // namespace teamsan::bench
