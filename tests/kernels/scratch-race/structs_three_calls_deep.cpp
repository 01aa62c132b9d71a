// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A neighbour's struct is read without a barrier, in functions called three deep: the report has the kernel's own line, and
// counts in structs.
#include <Kokkos_Core.hpp>

struct Particle {
  float position[3];
  float radius;
  int id;
};

struct Read {
  KOKKOS_FORCEINLINE_FUNCTION static float innermost(Particle const& p) { return p.radius; }  // EXPECT: scratch-race
  KOKKOS_FORCEINLINE_FUNCTION static float inner(Particle const& p) { return innermost(p); }
  KOKKOS_FORCEINLINE_FUNCTION static float outer(Particle const& p) { return inner(p) + 1; }
};

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Tile = Kokkos::View<Particle*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<float*> out("out", n);
  // EXPECT-OUTPUT: element 1 of 64 \(20 bytes each\), byte 32, 12 of the element
  // EXPECT-OUTPUT: called from \S+:15\s+called from \S+:34
  // EXPECT-OUTPUT: put\s+member.team_barrier\(\)\s+between\s+\S+:33\s+and\s+\S+:34
  Kokkos::parallel_for(
      "tile", Policy(1, n).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(n))), KOKKOS_LAMBDA(Member const& member) {
        Tile tile(member.team_scratch(0), n);
        int const i = member.team_rank();
        tile(i).radius = i;  // EXPECT: scratch-race
        out(i) = Read::outer(tile((i + 1) % n));
      });
  Kokkos::fence();
}
