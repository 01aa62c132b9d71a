// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A moving average whose window is chosen when the program runs: each team keeps its cells and a halo of the window's
// width in workgroup memory, which is therefore sized at the launch, differently at each.
//   launch_sized [CELLS]
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

constexpr int cells_of_team = 256;

void average(Kokkos::View<float const*> in, Kokkos::View<float*> out, int halo) {
  int const n = static_cast<int>(in.extent(0)), tile_cells = cells_of_team + 2 * halo;
  Policy policy((n + cells_of_team - 1) / cells_of_team, Kokkos::AUTO);
  teamsan::set_launch_sized_scratch(policy, static_cast<std::size_t>(tile_cells) * sizeof(float));
  Kokkos::parallel_for(
      "moving average", policy, KOKKOS_LAMBDA(Member const& member) {
        float* const tile = teamsan::launch_sized_scratch<float>(member);
        int const first = member.league_rank() * cells_of_team;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, tile_cells), [&](int i) {
          int const cell = first - halo + i;
          tile[i] = cell >= 0 && cell < n ? in(cell) : 0.f;
        });
        member.team_barrier();
        int const cells = n - first < cells_of_team ? n - first : cells_of_team;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, cells), [&](int i) {
          float sum = 0;
          for (int d = 0; d <= 2 * halo; ++d) sum += tile[i + d];
          out(first + i) = sum / static_cast<float>(2 * halo + 1);
        });
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = argc > 1 ? std::atoi(argv[1]) : 10000;
  Kokkos::View<float*> in("in", n), out("out", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { in(i) = static_cast<float>(i % 17); });
  auto const cells = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), in);
  int wrong = 0;
  for (int const halo : {1, 4, 33}) {
    average(in, out, halo);
    auto const averages = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int j = i - halo; j <= i + halo; ++j) sum += j >= 0 && j < n ? cells(j) : 0.f;
      wrong += std::abs(averages(i) - sum / static_cast<float>(2 * halo + 1)) > 1e-4f;
    }
    std::printf("window of %d cells: %zu bytes of workgroup memory a team\n", 2 * halo + 1,
                (cells_of_team + 2 * static_cast<std::size_t>(halo)) * sizeof(float));
  }
  std::printf("%d of %d averages are wrong\n", wrong, 3 * n);
  return wrong != 0;
}
