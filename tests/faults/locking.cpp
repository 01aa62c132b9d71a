// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race, and then kernels of which one lane, and the thread that it runs on, comes to many of the runtime's locks from where
// it says so (at_locks.c).
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <dlfcn.h>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  auto const crash_from_here = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "crash_from_here"));
  if (crash_from_here == nullptr) return 1;
  Kokkos::View<int> x("x");
  Kokkos::parallel_for("race", 64, KOKKOS_LAMBDA(int i) { x() = i; });
  Kokkos::fence();

  bool const flat = argc > 1;
  int const n = 20'000;
  Kokkos::View<int*> in(Kokkos::view_alloc("in", Kokkos::WithoutInitializing), n), out("out", n), flags("flags", n);
  if (flat) {
    Kokkos::parallel_for(
        "range", n, KOKKOS_LAMBDA(int i) {
          if (i == 9000) crash_from_here();
          out(i / 2) = in(i);
          Kokkos::atomic_add(&flags(i % 3), 1);
          reinterpret_cast<char*>(&flags(10 + i / 8))[i % 4] = 1;
        });
  } else {
    Kokkos::parallel_for(
        "teams", Policy(64, 32).set_scratch_size(0, Kokkos::PerTeam(1024)), KOKKOS_LAMBDA(Member const& team) {
          if (team.league_rank() == 20 && team.team_rank() == 7) crash_from_here();
          Kokkos::View<int*, Kokkos::DefaultExecutionSpace::scratch_memory_space> tile(team.team_scratch(0), 32);
          int const i = team.league_rank() * 32 + team.team_rank();
          tile(team.team_rank()) = in(i);
          out(i) = tile((team.team_rank() + 1) % 32);
          out(team.league_rank() / 2) = i;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flags(i % 5), i);
          out(2048 + Kokkos::atomic_load(&flags(0)) % 7) = 1;
          if (team.team_rank() == 9) Kokkos::printf("%d\n", i);
          team.team_barrier();
        });
  }
  Kokkos::fence();
}
