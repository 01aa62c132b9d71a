// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose counters are compared between a GPU and the simulated one, and which race detectors are timed
// on:
//   counted                 each once: matmul and stencil 256, transposes 1024, reduction of 2^20
//   counted KERNEL N        one of them, of size N
// Ends with 1 if a result is wrong.
#include "../Kernels.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace teamsan::bench;

/// As bench's Transpose, but rows of 32 in scratch: each column lies in one bank.
bool transpose_pitch_32(int n) {
  constexpr int width = 32, rows = 8;
  using Tile = Kokkos::View<float[width][width], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;
  Matrix const in("in", n, n), out("out", n, n);
  Kokkos::deep_copy(in, 3.0f);
  int const blocks = n / width;
  auto const policy =
      Policy(blocks * blocks, width * rows).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "transpose_pitch_32", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0));
        int const tx = team.team_rank() % width, ty = team.team_rank() / width;
        int const row = team.league_rank() / blocks * width, column = team.league_rank() % blocks * width;
        for (int j = 0; j < width; j += rows) tile(ty + j, tx) = in(row + ty + j, column + tx);
        team.team_barrier();
        for (int j = 0; j < width; j += rows) out(column + ty + j, row + tx) = tile(tx, ty + j);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0, 0) == 3.0f && host(n - 1, n / 3) == 3.0f;
}

template <class Kernel>
bool run(int n) {
  Kernel const kernel(n);
  kernel.run();
  return kernel.right();
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::string_view const only = argc > 1 ? argv[1] : "";
  struct {
    std::string_view name;
    int size;
    bool (*run)(int);
  } const kernels[] = {{"matmul", 256, run<Matmul>},
                       {"tree_reduction", 1 << 20, run<TreeReduction>},
                       {"transpose", 1024, run<Transpose>},
                       {"transpose_pitch_32", 1024, transpose_pitch_32},
                       {"stencil", 256, run<Stencil>}};
  bool right = true, known = only.empty();
  for (auto const& kernel : kernels) {
    if (!only.empty() && only != kernel.name) continue;
    known = true;
    if (kernel.run(argc > 2 ? std::atoi(argv[2]) : kernel.size)) continue;
    std::printf("%.*s: wrong result\n", static_cast<int>(kernel.name.size()), kernel.name.data());
    right = false;
  }
  if (!known) std::printf("counted: no kernel of that name\n");
  return right && known ? 0 : 1;
}
