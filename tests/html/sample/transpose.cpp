// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes a matrix through team scratch. SampleReport.hpp speaks of its lines; it is never compiled.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;
using Team = Kokkos::TeamPolicy<>::member_type;

constexpr int edge = 32;
constexpr int rows = 8;

struct Pitched {
  int pitch;
  float* data;
  KOKKOS_FUNCTION float& operator()(int i, int j) const { return data[i * pitch + j]; }
};

Matrix filled(int n) {
  Matrix matrix("in", n, n);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {n, n}),
      KOKKOS_LAMBDA(int i, int j) { matrix(i, j) = 0.5f * i + j; });
  return matrix;
}

void transpose(Matrix out, Matrix in, int pitch) {
  int const n = in.extent_int(0), tiles = n / edge;
  std::size_t const bytes = sizeof(float) * edge * pitch;
  auto const policy = Kokkos::TeamPolicy<>(tiles * tiles, rows, edge).set_scratch_size(0, Kokkos::PerTeam(bytes));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(Team const& team) {
        Pitched const tile{pitch, static_cast<float*>(team.team_shmem().get_shmem(bytes))};
        int const x = team.league_rank() % tiles * edge, y = team.league_rank() / tiles * edge;
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, edge * edge), [&](int at) {
          int const r = at / edge, c = at % edge;
          tile(r, c) = in(y + r, x + c);
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, edge * edge), [&](int at) {
          int const r = at / edge, c = at % edge;
          out(x + r, y + c) = tile(c, r);  // a column: one bank or all of them
        });
      });
}

void naive(Matrix out, Matrix in) {
  int const n = in.extent_int(0);
  Kokkos::parallel_for(
      "naive", Kokkos::RangePolicy<>(0, n * n), KOKKOS_LAMBDA(int at) {
        int const i = at / n, j = at % n;
        out(j, i) = in(i, j);
      });
}

float checksum(Matrix matrix) {
  float sum = 0;
  Kokkos::parallel_reduce(
      "checksum", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {matrix.extent_int(0), matrix.extent_int(1)}),
      KOKKOS_LAMBDA(int i, int j, float& part) { part += matrix(i, j); }, sum);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  int const n = argc > 1 ? std::atoi(argv[1]) : 256;
  if (n < edge || n % edge != 0) {
    std::fprintf(stderr, "the matrix's edge must be a multiple of %d\n", edge);
    return 1;
  }
  Matrix const in = filled(n);
  Matrix const out("out", n, n);
  transpose(out, in, edge);
  std::printf("pitch %d: %g\n", edge, checksum(out));
  transpose(out, in, edge + 1);
  std::printf("pitch %d: %g\n", edge + 1, checksum(out));
  naive(out, in);
  std::printf("naive: %g\n", checksum(out));
  return 0;
}
