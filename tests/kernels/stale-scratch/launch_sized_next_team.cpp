// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: deterministic=1
// The first team leaves the address of its launch-sized memory for the second one.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<std::uintptr_t> kept("kept");
  Kokkos::View<int**> y("y", 2, team_size);
  Policy policy(2, team_size);
  teamsan::set_launch_sized_scratch(policy, team_size * sizeof(int));
  Kokkos::parallel_for(
      "hand over", policy, KOKKOS_LAMBDA(Member const& member) {
        int const t = member.team_rank(), l = member.league_rank();
        if (l == 0) {
          int* const row = teamsan::launch_sized_scratch<int>(member);
          row[t] = t;
          member.team_barrier();
          if (t == 0) Kokkos::atomic_store(&kept(), reinterpret_cast<std::uintptr_t>(row));
        } else if (auto const* row = reinterpret_cast<int const*>(Kokkos::atomic_load(&kept()))) {
          y(l, t) = row[t];  // EXPECT: stale-scratch
        }
      });
  Kokkos::fence();
}
