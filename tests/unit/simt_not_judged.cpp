// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=1
// A launch that exceeds a limit of what races are judged by says so: the kernel, the launch, the team, what may be missed.
#include "SimtTeam.hpp"

#include "../../sim/detect/CrossTeam.hpp"
#include "../../sim/findings/Collector.hpp"
#include "../../sim/process/FinishedReport.hpp"

#include <atomic>
#include <string>
#include <vector>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Ints = Kokkos::View<int*, Space>;

KOKKOS_INLINE_FUNCTION void release(int& flag, int value) {
  std::atomic_ref<int>(flag).store(value, std::memory_order_release);
}

/// A lock that is passed on in league order.
KOKKOS_INLINE_FUNCTION void wait_for(int& turn, int mine) {
  while (std::atomic_ref<int>(turn).load(std::memory_order_acquire) != mine) {
  }
}

/// The report's notes about what was not judged, which are taken away.
std::vector<std::string> take_notes() {
  auto& collector = teamsan::Collector::instance();
  auto const report = teamsan::finished_report(collector);
  BOOST_TEST(report.findings.size() == 0u);
  std::vector<std::string> notes;
  for (std::string const& note : report.program.notes)
    if (note.starts_with("not judged in full")) notes.push_back(note);
  collector.clear();
  return notes;
}

void expect_note(std::string const& kernel_and_team, std::string const& words) {
  std::vector<std::string> const notes = take_notes();
  BOOST_REQUIRE(notes.size() == 1u);
  BOOST_TEST_CONTEXT(notes[0]) {
    BOOST_TEST(notes[0].find(kernel_and_team) != std::string::npos);
    BOOST_TEST(notes[0].find(words) != std::string::npos);
    BOOST_TEST(notes[0].ends_with("may be missed"));
  }
}

void release_often(char const* kernel, int times) {
  Ints flags("flags", 64);
  Kokkos::parallel_for(
      kernel, Policy(4, 1), KOKKOS_LAMBDA(Member const& team) {
        if (team.league_rank() != 2) return;
        for (int i = 1; i != times; ++i) release(flags(i % 64), i);
      });
  Kokkos::fence();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_team_that_releases_too_often) {
  release_often("releases", 40'000);
  BOOST_TEST(take_notes().empty());
  release_often("releases", 70'000);
  expect_note("kernel \"releases\", launch #2, team 2", "before the latest 24,576 times");
  release_often("releases", 70'000);
  BOOST_TEST(take_notes().empty());  // once for a kernel
}

/// What is no longer told apart is old: a hand-over behind it is judged as ever.
BOOST_AUTO_TEST_CASE(after_many_releases_a_race_is_found_and_a_hand_over_is_none) {
  Ints flags("flags", 64), data("data", 2), turn("turn", 1);
  for (bool const right : {true, false}) {
    Kokkos::deep_copy(turn, 0);
    Kokkos::parallel_for(
        right ? "right" : "wrong", Policy(2, 1), KOKKOS_LAMBDA(Member const& team) {
          if (team.league_rank() == 0) {
            for (int i = 1; i != 70'000; ++i) release(flags(i % 64), i);
            if (right) data(0) = 1;
            release(turn(0), 1);
            if (!right) data(0) = 1;
          } else {
            wait_for(turn(0), 1);
            data(1) = data(0);
          }
        });
    Kokkos::fence();
    auto& collector = teamsan::Collector::instance();
    BOOST_TEST(teamsan::finished_report(collector).findings.size() == (right ? 0u : 1u));
    collector.clear();
  }
}

BOOST_AUTO_TEST_CASE(a_word_that_many_teams_use_by_turns) {
  auto const by_turns = [](char const* kernel, int league) {
    Ints turn("turn", 1), sum("sum", 1);
    Kokkos::parallel_for(
        kernel, Policy(league, 1), KOKKOS_LAMBDA(Member const& team) {
          wait_for(turn(0), team.league_rank());
          sum(0) += 1;
          release(turn(0), team.league_rank() + 1);
        });
    Kokkos::fence();
  };
  by_turns("by turns", 20);
  BOOST_TEST(take_notes().empty());
  by_turns("by turns", 80);
  expect_note("kernel \"by turns\"", "more than 64 different accesses were made to one word");
}

BOOST_AUTO_TEST_CASE(a_team_that_acquires_often_and_uses_the_same_word) {
  auto const ping_pong = [](char const* kernel, int times) {
    Ints turn("turn", 1), mine("mine", 1);
    Kokkos::parallel_for(
        kernel, Policy(2, 1), KOKKOS_LAMBDA(Member const& team) {
          for (int i = 0; i != times; ++i) {
            wait_for(turn(0), 2 * i + team.league_rank());
            if (team.league_rank() == 1) mine(0) += 1;
            release(turn(0), 2 * i + team.league_rank() + 1);
          }
        });
    Kokkos::fence();
  };
  ping_pong("ping pong", 10);
  BOOST_TEST(take_notes().empty());
  ping_pong("ping pong", 60);
  expect_note("kernel \"ping pong\"", "more than 32 times");
}

BOOST_AUTO_TEST_CASE(a_team_that_updates_many_elements) {
  Ints sums("sums", 70'000);
  auto const update = [&](char const* kernel, int elements) {
    Kokkos::parallel_for(
        kernel, Policy(2, 1, 2), KOKKOS_LAMBDA(Member const& team) {
          if (team.league_rank() == 0) return;
          int const amount = 1 + vector_lane();  // each lane its own: none is redundant
          for (int i = 0; i != elements; ++i) Kokkos::atomic_add(&sums(i), amount);
        });
    Kokkos::fence();
  };
  update("updates", 65'536);
  BOOST_TEST(take_notes().empty());
  update("updates", 65'537);
  expect_note("kernel \"updates\", launch #", "more than 65,536 elements");
}

/// Two teams share many words, one after the other.
BOOST_AUTO_TEST_CASE(words_that_teams_share) {
  Ints turn("turn", 1), data("data", 262'200);
  auto const share = [&](char const* kernel, int words) {
    Kokkos::deep_copy(turn, 0);
    Kokkos::parallel_for(
        kernel, Policy(2, 1), KOKKOS_LAMBDA(Member const& team) {
          wait_for(turn(0), team.league_rank());
          for (int i = 0; i != words; ++i) data(i) = i;
          release(turn(0), team.league_rank() + 1);
        });
    Kokkos::fence();
  };
  share("words", 262'000);
  BOOST_TEST(take_notes().empty());
  share("words", 262'200);
  expect_note("kernel \"words\"", "more than 262,144 of the same words");
}

BOOST_AUTO_TEST_CASE(numbers_of_instructions_run_out) {
  teamsan::detect::SiteTable sites;
  std::uint32_t site = 1;
  for (; site != 16'384; ++site) BOOST_REQUIRE(sites.id(teamsan::Site{site}) == site);
  BOOST_TEST(!sites.full());
  BOOST_TEST(sites.id(teamsan::Site{site}) == 0u);
  BOOST_TEST(sites.full());
  BOOST_TEST(sites.id(teamsan::Site{7}) == 7u);
  BOOST_TEST(sites.id(teamsan::Site{site}) == 0u);
}
