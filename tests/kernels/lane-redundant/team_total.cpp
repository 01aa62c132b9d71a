// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One vector lane of each thread adds the row's sum, which all of them have, to the team's total.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<float*, Member::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 4, threads = 8, lanes = 4, rows = 20;
  Kokkos::View<float*> norm("norm", teams);
  Kokkos::parallel_for(
      "norm", Policy(teams, threads, lanes).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(1))),
      KOKKOS_LAMBDA(Member const& team) {
        Scratch total(team.team_scratch(0), 1);
        Kokkos::single(Kokkos::PerTeam(team), [&]() { total(0) = 0; });
        team.team_barrier();
        for (int row = 0; row < 2; ++row) {
          float sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamVectorRange(team, rows), [&](int i, float& s) { s += static_cast<float>(i + row) * 0.5f; }, sum);
          Kokkos::single(Kokkos::PerThread(team), [&]() {
            Kokkos::atomic_add(&total(0), sum);  // EXPECT: lane-redundant
          });
        }
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&]() { norm(team.league_rank()) = total(0); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), norm);
  return host(1) == (95.0f + 105.0f) * threads ? 0 : 1;
}
