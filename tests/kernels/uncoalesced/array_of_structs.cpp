// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes update one member of neighbouring structs: of each sector they use a quarter.
// OPTIONS: check=coalesce:device=h100:fail_on=uncoalesced
#include <Kokkos_Core.hpp>

struct Particle {
  float x, y, z, mass;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024;
  Kokkos::View<Particle*> particles("particles", n);
  Kokkos::parallel_for(
      "weigh", n, KOKKOS_LAMBDA(int i) {
        particles(i).mass = 1;  // EXPECT: uncoalesced
      });
}
