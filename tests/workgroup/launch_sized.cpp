// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// launch_sized_scratch: one address for all lanes, calls and types of a team, aligned, and as long as the launch says.
#include "Teams.hpp"

#include <teamsan/model/workgroup/launch_sized_scratch.hpp>
#include <teamsan/model/workgroup/vec.hpp>

#include <cstdint>

using namespace workgroup_tests;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

/// Misfits of any kind, counted by every lane.
template <class Kernel>
int failures(Policy const& policy, Kernel const& kernel) {
  Kokkos::View<int, Space> count("count");
  Kokkos::parallel_for(
      "failures", policy, KOKKOS_LAMBDA(Member const& member) {
        if (!kernel(member)) Kokkos::atomic_store(&count(), 1);
      });
  return on_host(count)();
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_call_gives_the_same_aligned_address) {
  for (int const team : {1, 2, 3, 32, 33, 64}) {
    Policy policy(4, threads(team));
    teamsan::set_launch_sized_scratch(policy, 1024);
    BOOST_TEST(failures(policy, KOKKOS_LAMBDA(Member const& member) {
                 auto const first = reinterpret_cast<std::uintptr_t>(teamsan::launch_sized_scratch<char>(member));
                 bool right = first % teamsan::launch_sized_alignment == 0;
                 right &= reinterpret_cast<std::uintptr_t>(teamsan::launch_sized_scratch<double>(member)) == first;
                 right &= reinterpret_cast<std::uintptr_t>(teamsan::launch_sized_scratch<teamsan::vec4f>(member)) == first;
                 member.team_barrier();
                 right &= reinterpret_cast<std::uintptr_t>(teamsan::launch_sized_scratch<short>(member)) == first;
                 std::uintptr_t others = first;
                 member.team_broadcast(others, 0);
                 return right && others == first;
               }) == 0);
  }
}

BOOST_AUTO_TEST_CASE(the_size_is_the_launchs) {
  for (int const n : {1, 7, 100, 1000, 3000}) {
    int const league = 3, team = threads(33);
    Kokkos::View<int**, Space> sums("sums", league, 1);
    Policy policy(league, team);
    teamsan::set_launch_sized_scratch(policy, static_cast<std::size_t>(n) * sizeof(int));
    Kokkos::parallel_for(
        "sum", policy, KOKKOS_LAMBDA(Member const& member) {
          int* const values = teamsan::launch_sized_scratch<int>(member);
          for (int i = member.team_rank(); i < n; i += member.team_size()) values[i] = i + member.league_rank();
          member.team_barrier();
          int sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(member, n), [&](int i, int& s) { s += values[n - 1 - i]; }, sum);
          Kokkos::single(Kokkos::PerTeam(member), [&] { sums(member.league_rank(), 0) = sum; });
        });
    auto const result = on_host(sums);
    for (int l = 0; l < league; ++l) BOOST_TEST(result(l, 0) == n * (n - 1) / 2 + n * l);
  }
}

BOOST_AUTO_TEST_CASE(an_odd_number_of_bytes_and_raw_sizes) {
  Policy policy(2, threads(4));
  policy.set_scratch_size(0, Kokkos::PerTeam(64 + 8));
  BOOST_TEST(failures(policy, KOKKOS_LAMBDA(Member const& member) {
               auto* const bytes = teamsan::launch_sized_scratch<unsigned char>(member);
               if (member.team_rank() == 0)
                 for (int i = 0; i < 64; ++i) bytes[i] = static_cast<unsigned char>(i);
               member.team_barrier();
               return bytes[63] == 63;
             }) == 0);
}

BOOST_AUTO_TEST_CASE(reductions_have_it_too) {
  int const league = 4, team = threads(32);
  Policy policy(league, team);
  teamsan::set_launch_sized_scratch(policy, static_cast<std::size_t>(team) * sizeof(double));
  double total = 0;
  Kokkos::parallel_reduce(
      "total", policy,
      KOKKOS_LAMBDA(Member const& member, double& sum) {
        double* const values = teamsan::launch_sized_scratch<double>(member);
        values[member.team_rank()] = member.team_rank() + 1;
        member.team_barrier();
        sum += values[member.team_size() - 1 - member.team_rank()] * (member.team_rank() >= 0);
        member.team_barrier();  // a block runs several teams one after the other, with no barrier between them
      },
      total);
  // On hosts the sum counts once a thread, as on GPUs.
  BOOST_TEST(total == league * team * (team + 1) / 2.0);
}
