// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A note says when a run may hang on the order of teams, or of a team's lanes: they got values back from atomics they share.
#include "SimtTeam.hpp"

#include "../../sim/findings/Collector.hpp"
#include "../../sim/process/FinishedReport.hpp"

#include <string>
#include <vector>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Ints = Kokkos::View<int*, Space>;

/// The notes about order, which are taken away with all else.
std::vector<std::string> take_notes() {
  auto& collector = teamsan::Collector::instance();
  std::vector<std::string> notes;
  for (std::string const& note : teamsan::finished_report(collector).program.notes)
    if (note.find("got values back from atomics") != std::string::npos) notes.push_back(note);
  collector.clear();
  return notes;
}

template <class Body>
std::vector<std::string> notes_of(char const* kernel, Shape const& shape, Body const& body) {
  Kokkos::parallel_for(kernel, shape.policy(), body);
  Kokkos::fence();
  return take_notes();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ticket_inside_a_team) {
  Ints words("words", 8), next("next", 1);
  auto const draw = KOKKOS_LAMBDA(Member const& team) {
    int const ticket = Kokkos::atomic_fetch_add(&next(0), 1 - team.team_rank());
    words(ticket) = 5 + team.team_rank();
  };
  std::vector<std::string> const notes = notes_of("ticket", {1, 2, 1}, draw);
  BOOST_REQUIRE(notes.size() == 1u);
  BOOST_TEST(notes[0].starts_with("lanes of a team got values back"));
  BOOST_TEST(notes[0].find("simt_order_notes.cpp:") != std::string::npos);
  BOOST_TEST(notes_of("ticket", {1, 2, 1}, draw).empty());  // once for a kernel
}

BOOST_AUTO_TEST_CASE(teams_that_draw_tickets_make_one_note) {
  Ints words("words", 64), next("next", 1);
  std::vector<std::string> const notes = notes_of("teams' tickets", {4, 2, 1}, KOKKOS_LAMBDA(Member const&) {
    words(Kokkos::atomic_fetch_add(&next(0), 1)) = 1;
  });
  BOOST_REQUIRE(notes.size() == 1u);
  BOOST_TEST(notes[0].starts_with("teams got values back"));
}

/// Does a race in scratch say that it may hang on the order of teams, which draw tickets or do not?
bool hangs_on_team_order(bool tickets) {
  Ints out("out", 64), next("next", 1);
  Policy policy = Shape{4, 2, 1}.policy().set_scratch_size(0, Kokkos::PerTeam(512));
  Kokkos::parallel_for(tickets ? "a race behind tickets" : "a race", policy, KOKKOS_LAMBDA(Member const& team) {
    auto* const tile = static_cast<int*>(team.team_scratch(0).get_shmem(2 * sizeof(int)));
    if (tickets) out(Kokkos::atomic_fetch_add(&next(0), 1)) = 1;
    tile[0] = team.team_rank();
  });
  Kokkos::fence();
  std::vector<teamsan::Finding> const findings = teamsan::Collector::instance().findings();
  teamsan::Collector::instance().clear();
  BOOST_REQUIRE(findings.size() == 1u);
  BOOST_TEST(static_cast<int>(findings[0].rule) == static_cast<int>(teamsan::Rule::scratch_race));
  return findings[0].on_team_order;
}

BOOST_AUTO_TEST_CASE(a_finding_of_a_kernel_whose_teams_draw_tickets_says_so) {
  BOOST_TEST(!hangs_on_team_order(false));
  BOOST_TEST(hangs_on_team_order(true));
  BOOST_TEST(hangs_on_team_order(true));  // though the note is made once
}

BOOST_AUTO_TEST_CASE(no_note_where_no_value_or_no_order_matters) {
  Ints words("words", 64);
  BOOST_TEST(notes_of("sum", {1, 4, 1}, KOKKOS_LAMBDA(Member const&) { Kokkos::atomic_add(&words(0), 1); }).empty());
  BOOST_TEST(notes_of("own words", {1, 4, 1}, KOKKOS_LAMBDA(Member const& team) {
               words(8 + team.team_rank()) = Kokkos::atomic_fetch_add(&words(team.team_rank()), 1);
             }).empty());
  BOOST_TEST(notes_of("by turns", {1, 4, 1}, KOKKOS_LAMBDA(Member const& team) {
               for (int i = 0; i != team.team_size(); ++i) {
                 if (team.team_rank() == i) words(8 + i) = Kokkos::atomic_fetch_add(&words(0), 1);
                 team.team_barrier();
               }
             }).empty());
}
