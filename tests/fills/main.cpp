// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of what a compiler makes of fills, copies, struct moves and comparisons of 1 to 257 bytes, every byte is seen and no
// other: a store to any of them races, one beside them does not; behind a barrier all of them are initialised, and their
// neighbours are not. Straight on the simulator, without Kokkos: what moves.cpp was compiled to is the question.
#define BOOST_TEST_MODULE fills
#include "Moves.hpp"

#include "../../sim/findings/Collector.hpp"
#include "../../sim/host/Launch.hpp"
#include "../../sim/host/Memory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <span>
#include <vector>

using namespace fills;

namespace {

constexpr std::size_t room = 512;  ///< of a team in each array

/// One team: what lane 0 does, and the byte that lane 1 looks at, counted from the first.
struct Part {
  Move const* move;
  int byte;
};

using Lane1 = void (*)(Moves const&, Part const&, char* to, char* from);

/// A question to a number of moves.
struct Question {
  char const* text;
  Moves const& moves;
  bool in_scratch;  ///< `to` is
  bool barrier;     ///< between the lanes
  Lane1 lane_1;
  std::vector<int> (*bytes)(Move const&);        ///< one team each
  std::uint64_t (*expected)(std::size_t teams);  ///< of a move, how many of its teams make a finding
  teamsan::Rule rule;
};

/// What a launch needs; the kernel object is a pointer to it.
struct Plan {
  Question const& question;
  std::vector<Part> teams;
  char *to, *from;
};

void run_lane(void const* kernel, teamsan::Lane const& lane) {
  Plan const& plan = **static_cast<Plan const* const*>(kernel);
  Question const& q = plan.question;
  Part const& part = plan.teams[lane.league_rank];
  char* const array =
      q.in_scratch ? static_cast<char*>(teamsan::obtain_scratch({0, false, 0, 0, room})) : plan.to + lane.league_rank * room;
  char* const to = array + 64 + part.move->bytes % 8;
  char* const from = plan.from + lane.league_rank * room + 64;
  if (lane.index == 0) part.move->run(to, from, 3);
  if (q.barrier) teamsan::meet(teamsan::Meeting::team_barrier);
  if (lane.index == 1) q.lane_1(q.moves, part, to, from);
}

/// How many teams make a finding; one of another rule fails.
std::uint64_t run(Plan& plan) {
  using namespace teamsan;
  Question const& q = plan.question;
  std::size_t const bytes = plan.teams.size() * room;
  plan.to = static_cast<char*>(allocate(Space::device, bytes, 0, "to"));
  plan.from = static_cast<char*>(allocate(Space::device, bytes, 0, "from"));
  zero(plan.from, bytes);
  LaunchConfig config;
  config.label = "moves";
  config.policy = Policy::team;
  config.league_size = plan.teams.size();
  config.team_size = 2;
  config.team_scratch[0] = room;
  Plan const* const object = &plan;
  launch(config, &object, sizeof object, run_lane);
  fence(0);
  std::uint64_t teams = 0;
  for (Finding const& f : Collector::instance().findings()) {
    teams += f.teams;
    Move const& move = *plan.teams[f.sides.front().league].move;
    BOOST_TEST((f.rule == q.rule), q.moves.compiled << ", " << q.text << ", " << move.name << ": " << rule_id(f.rule));
  }
  Collector::instance().clear();
  deallocate(plan.to);
  deallocate(plan.from);
  return teams;
}

/// All moves in one launch. If their sum is wrong, each alone, to tell which.
void ask(Question const& q, std::span<Move const> moves) {
  Plan plan{q, {}, nullptr, nullptr};
  std::uint64_t expected = 0;
  for (Move const& move : moves) {
    std::vector<int> const bytes = q.bytes(move);
    for (int const byte : bytes) plan.teams.push_back({&move, byte});
    expected += q.expected(bytes.size());
  }
  std::uint64_t const found = plan.teams.empty() ? 0 : run(plan);
  if (found == expected) return;
  BOOST_ERROR(q.moves.compiled << (q.in_scratch ? ", scratch, " : ", device, ") << q.text << ": " << moves.front().name
                               << ' ' << moves.front().bytes << (moves.size() == 1 ? " bytes" : " bytes and others") << ": "
                               << found << " teams found it, not " << expected);
  if (moves.size() != 1)
    for (Move const& move : moves) ask(q, {&move, 1});
}

/// Those before the first and behind the last, and of those between the first of each eight and the last eight.
std::vector<int> bytes_of(Move const& move) {
  std::vector<int> bytes{-1};
  for (int i = 0; i < move.bytes; i += 8) bytes.push_back(i);
  for (int i = (move.bytes - 1) / 8 * 8 + 1; i <= move.bytes; ++i) bytes.push_back(i);
  return bytes;
}
std::vector<int> if_so(bool so, std::vector<int> bytes) { return so ? bytes : std::vector<int>(); }
std::vector<int> bytes_written(Move const& move) { return if_so(move.writes, bytes_of(move)); }
std::vector<int> bytes_read(Move const& move) { return if_so(move.reads, bytes_of(move)); }
std::vector<int> no_matter(Move const& move) { return if_so(move.writes, {0}); }
std::vector<int> neighbours(Move const& move) { return if_so(move.writes, {-1, move.bytes}); }

std::uint64_t none(std::size_t) { return 0; }
std::uint64_t all(std::size_t teams) { return teams; }
std::uint64_t all_between(std::size_t teams) { return teams < 2 ? 0 : teams - 2; }

void store_to(Moves const& moves, Part const& part, char* to, char*) { moves.store(to + part.byte); }
void store_from(Moves const& moves, Part const& part, char*, char* from) { moves.store(from + part.byte); }
void load_to(Moves const& moves, Part const& part, char* to, char*) { moves.load(to + part.byte); }
void load_all(Moves const& moves, Part const& part, char* to, char*) {
  for (int i = 0; i != part.move->bytes; ++i) moves.load(to + i);
}

void check(Moves const& m) {
  using enum teamsan::Rule;
  for (auto const moves : {m.every_length, m.of_libc}) {
    ask({"two stores", m, true, false, store_to, bytes_written, all_between, scratch_race}, moves);
    ask({"two stores", m, false, false, store_to, bytes_written, all_between, global_race}, moves);
    ask({"read and store", m, true, false, store_from, bytes_read, all_between, global_race}, moves);
    ask({"behind a barrier", m, true, true, load_all, no_matter, none, {}}, moves);
    ask({"behind a barrier", m, false, true, load_all, no_matter, none, {}}, moves);
    ask({"neighbours", m, true, true, load_to, neighbours, all, uninit_scratch}, moves);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_optimisation) { check(moves_O0); }
BOOST_AUTO_TEST_CASE(optimised_1) { check(moves_O1); }
BOOST_AUTO_TEST_CASE(optimised_2) { check(moves_O2); }
BOOST_AUTO_TEST_CASE(optimised_3) { check(moves_O3); }
