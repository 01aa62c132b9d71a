// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in members of structs: scratch that a View was made of, a View, a struct in a struct.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

namespace shapes {
struct Particle {
  float position[3];
  float radius;
  int id;
};
struct Box {
  double low[3], high[3];
};
template <class T, int n>
struct Cell {
  T mass[n];
  Box box;
};
}  // namespace shapes

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Tile = Kokkos::View<shapes::Particle*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  Kokkos::View<float*> out("out", 64);
  Kokkos::parallel_for(
      "particles", Policy(1, 64).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(64))),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), 64);
        int const i = team.team_rank();
        tile(i).radius = i;
        out(i) = tile((i + 1) % 64).radius;
      });
  Kokkos::View<shapes::Box*> boxes("boxes", 4);
  Kokkos::parallel_for("boxes", 64, KOKKOS_LAMBDA(int i) { boxes(1).high[1] = i; });
  Kokkos::View<shapes::Cell<int, 2>*> cells("cells", 4);
  Kokkos::parallel_for("cells", 64, KOKKOS_LAMBDA(int i) { cells(2).box.low[0] += i; });
  Kokkos::fence();
}
