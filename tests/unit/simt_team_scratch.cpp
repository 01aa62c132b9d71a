// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Team and thread scratch as Kokkos hands it out: who shares which piece, alignment in device addresses, what
// fits and what does not, and that pieces stay apart.
#include "SimtTeam.hpp"

#include <cstdint>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {
using Doubles = Kokkos::View<double*, Scratch, Kokkos::MemoryUnmanaged>;
using Ints = Kokkos::View<int*, Scratch, Kokkos::MemoryUnmanaged>;
}  // namespace

BOOST_AUTO_TEST_CASE(team_piece_is_shared_by_the_team) {
  for (int level : {0, 1})
    in_every_shape([level](Shape const& s) {
      int const n = s.lanes();
      Policy policy = s.policy();
      policy.set_scratch_size(level, Kokkos::PerTeam(Doubles::shmem_size(n)));
      every_lane_gets<double>(
          s, policy,
          KOKKOS_LAMBDA(Member const& team) {
            Doubles const mine(team.team_scratch(level), n);
            mine(lane()) = lane() + team.league_rank();
            team.team_barrier();
            double sum = 0;
            for (int i = 0; i < n; ++i) sum += mine(i);
            return sum;
          },
          [&](int league) { return n * (n - 1) / 2 + n * league; });
    });
}

BOOST_AUTO_TEST_CASE(thread_piece_is_shared_by_the_threads_lanes) {
  for (int level : {0, 1})
    in_every_shape([level](Shape const& s) {
      Policy policy = s.policy();
      policy.set_scratch_size(level, Kokkos::PerThread(Ints::shmem_size(s.vector)));
      every_lane_gets<int>(
          s, policy,
          KOKKOS_LAMBDA(Member const& team) {
            Ints const mine(team.thread_scratch(level), s.vector);
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, s.vector),
                                 [&](int i) { mine(i) = 100 * team.team_rank() + i; });
            int sum = 0;
            for (int i = 0; i < s.vector; ++i) sum += mine(i);
            return sum - 100 * team.team_rank() * s.vector;
          },
          [&](int) { return s.vector * (s.vector - 1) / 2; });
    });
}

BOOST_AUTO_TEST_CASE(pieces_stay_apart) {
  in_every_shape([](Shape const& s) {
    Policy policy = s.policy();
    std::size_t const each = Ints::shmem_size(s.lanes());
    policy.set_scratch_size(0, Kokkos::PerTeam(2 * each), Kokkos::PerThread(Ints::shmem_size(s.vector)));
    policy.set_scratch_size(1, Kokkos::PerTeam(each));
    every_lane_gets<int>(
        s, policy,
        KOKKOS_LAMBDA(Member const& team) {
          Ints const first(team.team_scratch(0), s.lanes()), second(team.team_shmem(), s.lanes());
          Ints const own(team.thread_scratch(0), s.vector);
          Ints const far(team.team_scratch(1), s.lanes());
          int const me = lane();
          first(me) = 1, second(me) = 10, far(me) = 100, own(vector_lane()) = 1000;
          team.team_barrier();
          int const next = (me + 1) % s.lanes();
          return first(next) + second(next) + far(next) + own((vector_lane() + 1) % s.vector);
        },
        [](int) { return 1111; });
  });
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_null) {
  Shape const s{2, 4, 2};
  Policy policy = s.policy();
  policy.set_scratch_size(0, Kokkos::PerTeam(64), Kokkos::PerThread(16));  // 128 bytes, one region
  every_lane_gets<int>(
      s, policy,
      KOKKOS_LAMBDA(Member const& team) {
        auto const& scratch = team.team_scratch(0);
        if (scratch.get_shmem(129) != nullptr) return 1;  // too much, and nothing is taken
        if (scratch.get_shmem(100) == nullptr) return 2;
        if (scratch.get_shmem(29) != nullptr) return 3;
        if (team.thread_scratch(0).get_shmem(8) != nullptr) return 4;  // 8 for each of 4 threads
        if (team.thread_scratch(0).get_shmem(7) == nullptr) return 5;
        if (team.team_scratch(0).get_shmem(1) != nullptr) return 6;
        if (team.team_scratch(1).get_shmem(1) != nullptr) return 7;
        Ints const none(team.team_scratch(1), 1);
        return none.data() == nullptr ? 0 : 8;
      },
      [](int) { return 0; });
}

BOOST_AUTO_TEST_CASE(aligned_pieces) {
  for (int team_size : {1, 2, 5}) {
    Shape const s{2, team_size, 2};
    Policy policy = s.policy();
    policy.set_scratch_size(0, Kokkos::PerTeam(2048));
    every_lane_gets<int>(
        s, policy,
        KOKKOS_LAMBDA(Member const& team) {
          auto const& scratch = team.team_scratch(0);
          int wrong = 0;
          for (int alignment : {8, 16, 64, 128, 256}) {
            scratch.get_shmem(3);
            auto const address = reinterpret_cast<std::uintptr_t>(scratch.get_shmem_aligned(5, alignment));
            if (address == 0 || address % alignment != 0) ++wrong;
          }
          return wrong;
        },
        [](int) { return 0; });
  }
}

BOOST_AUTO_TEST_CASE(functors_own_wish_is_reserved) {
  struct Functor {
    Kokkos::View<int**, Space> got;
    std::size_t team_shmem_size(int team_size) const { return Ints::shmem_size(team_size); }
    KOKKOS_FUNCTION void operator()(Member const& team) const {
      Ints const shared(team.team_shmem(), team.team_size());
      if (vector_lane() == 0) shared(team.team_rank()) = team.team_rank() + 1;
      team.team_barrier();
      int sum = 0;
      for (int i = 0; i < team.team_size(); ++i) sum += shared(i);
      got(team.league_rank(), lane()) = sum;
    }
  };
  in_every_shape([](Shape const& s) {
    Functor const functor{Kokkos::View<int**, Space>("got", s.league, s.lanes())};
    Kokkos::parallel_for("shmem", s.policy(), functor);
    auto const got = on_host(functor.got);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int l = 0; l < s.lanes(); ++l)
        differences.compare(got(league, l), s.team * (s.team + 1) / 2, league, l);
  });
}

BOOST_AUTO_TEST_CASE(over_memory_of_the_callers) {
  // As Kokkos' own class: team pieces one after the other, thread pieces side by side.
  alignas(64) static char memory[256];
  Scratch const scratch(memory, 128, memory + 128, 128);
  auto const* const begin = static_cast<void const*>(memory);
  BOOST_TEST(scratch.set_team_thread_mode(0, 1, 0).get_shmem(10) == begin);
  BOOST_TEST(scratch.get_shmem_aligned(4, 16) == static_cast<void*>(memory + 16));
  BOOST_TEST(scratch.set_team_thread_mode(1, 4, 3).get_shmem(8) == static_cast<void*>(memory + 128 + 24));
  BOOST_TEST(scratch.set_team_thread_mode(1, 1, 0).get_shmem(96) == static_cast<void*>(memory + 128 + 32));
  BOOST_TEST(scratch.get_shmem(1) == static_cast<void*>(nullptr));
  BOOST_TEST(Scratch().get_shmem(1) == static_cast<void*>(nullptr));
}
