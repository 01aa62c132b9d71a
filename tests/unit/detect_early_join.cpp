// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams that join what they may before their turns leave the same behind, and find the same, as teams that come one by one:
/// whatever they do, and in whatever order they join.
#include "../../sim/detect/EarlyJoin.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/TeamShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::size_t words = 48;

/// What a team does to a word, and which lane by which instruction.
struct WordAccess {
  bool writes = false, reads = false, atomic = false, part = false;
  std::uint32_t lane = 0, site = 0;
};
using TeamAccesses = std::vector<WordAccess>;

struct Memory {
  Memory() : begin(reinterpret_cast<std::uintptr_t>(allocate(Space::device, 4 * words, 0, "data"))) {}
  ~Memory() { deallocate(reinterpret_cast<void*>(begin)); }
  std::uintptr_t begin;
};

struct Launch {
  explicit Launch(std::uintptr_t memory, bool early) : begin(memory) {
    context.verdicts = &verdicts;
    context.uninit = &none;
    context.joins_early = early;
  }
  AtomicOrder order;
  std::uint32_t const epoch = global_shadow::next_epoch();
  detect::CommitContext context{epoch, 1, false, true, &order};
  detect::CommitContext::Verdicts verdicts;
  detect::UninitReads none;
  std::uintptr_t begin;
  std::vector<std::string> found;

  std::unique_ptr<TeamShadow> shadow_of(TeamAccesses const& accesses) const {
    auto shadow = std::make_unique<TeamShadow>();
    shadow->reset(epoch, no_context);
    for (std::size_t w = 0; w != words; ++w) {
      WordAccess const& d = accesses[w];
      if (!d.writes && !d.reads) continue;
      Line& line = shadow->line(begin + 4 * w);
      std::size_t const in_line = (begin + 4 * w) % Line::bytes / 4;
      Mark const mark{Site{d.site}, who::first_stamp | (d.atomic ? who::atomic : 0) | d.lane};
      Cell& cell = d.part || line.per_byte != nullptr ? shadow->split(line).first[4 * in_line] : line.first[in_line];
      if (d.writes) cell.write = mark;
      if (d.reads) cell.read = {Site{d.site + 1}, mark.who};
    }
    return shadow;
  }

  void commit(std::uint64_t rank, TeamShadow& shadow, std::vector<std::uint32_t> const* left) {
    detect::FindingList of_team;
    detect::commit(context, rank, shadow, of_team, context.taken_out ? nullptr : left);
    for (auto const& [key, finding] : of_team.list()) {
      std::ostringstream line;
      line << rank << ' ' << finding.title << ' ' << finding.count << ' ' << finding.data.offset;
      for (auto const& side : finding.sides)
        line << " | " << static_cast<int>(side.access) << ' ' << side.lane.league << ' ' << side.lane.index << ' '
             << number_of(side.site) % 4096;
      found.push_back(line.str());
    }
  }

  /// All that is known of the words, but for the launch's own number and those of instructions.
  std::vector<std::string> state() const {
    std::vector<std::string> all;
    for (std::size_t w = 0; w != words; ++w) {
      std::uintptr_t const at = begin + 4 * w;
      GlobalWord const g = global_shadow::unpack(*global_shadow::cell(at), *global_shadow::extra(at));
      std::ostringstream line;
      if (g.epoch != epoch)
        line << "- " << (g.init | (g.epoch != 0 ? g.written : 0));
      else
        line << g.init << ' ' << g.team << ' ' << g.written << ' ' << g.read << ' ' << (g.written ? g.write_lane : 0) << ' '
             << (g.read ? g.read_lane : 0) << ' ' << (g.written ? number_of(context.sites.site(g.write_site)) % 4096 : 0) << ' '
             << (g.read ? number_of(context.sites.site(g.read_site)) % 4096 : 0) << ' ' << g.write_atomic << g.read_atomic
             << g.raced << g.split << g.others_wrote << g.only_others_wrote;
      all.push_back(line.str());
    }
    return all;
  }
};

/// `mode`: 0: each word is mostly one team's, or all read it; 1: with faults; 2: with atomics and parts of words, too.
std::vector<TeamAccesses> random_teams(std::mt19937& random, int mode) {
  std::size_t const league = 2 + random() % 6;
  std::vector<TeamAccesses> teams(league, TeamAccesses(words));
  for (std::size_t w = 0; w != words; ++w) {
    bool const shared = random() % 2 == 0;
    std::size_t const owner = random() % league;
    for (std::size_t t = 0; t != league; ++t) {
      WordAccess& d = teams[t][w];
      d.lane = random() % 8;
      d.site = 0x100 + 16 * (random() % 4);
      if (shared)
        d.reads = random() % 3 != 0;
      else if (t == owner)
        d.writes = true, d.reads = random() % 2 == 0;
      if (mode >= 1 && random() % 20 == 0) d.writes = true;
      if (mode >= 1 && random() % 20 == 0) d.reads = true;
      if (mode >= 2 && random() % 8 == 0) d.atomic = d.reads = true;
      if (mode >= 2 && random() % 16 == 0) d.part = true;
    }
  }
  return teams;
}

using Lefts = std::vector<std::optional<std::vector<std::uint32_t>>>;

void same_as_one_by_one(int mode, unsigned seed) {
  std::mt19937 random(seed);
  std::uint64_t joined_whole = 0, taken_out = 0;
  for (int round = 0; round != 600 / FEWER_STEPS; ++round) {
    Memory one_by_one, early;
    for (int launches = 0; launches != 2; ++launches) {  // the second finds what the first has left
      std::vector<TeamAccesses> const teams = random_teams(random, mode);
      Launch serial(one_by_one.begin, false);
      for (std::size_t t = 0; t != teams.size(); ++t) serial.commit(t, *serial.shadow_of(teams[t]), nullptr);
      auto const expected = serial.state();

      Launch launch(early.begin, true);
      std::vector<std::unique_ptr<TeamShadow>> shadows;
      for (TeamAccesses const& t : teams) shadows.push_back(launch.shadow_of(t));
      std::vector<std::size_t> order(teams.size());
      for (std::size_t i = 0; i != order.size(); ++i) order[i] = i;
      std::ranges::shuffle(order, random);
      Lefts left(teams.size());
      std::vector<bool> ended(teams.size(), false);
      std::size_t next = 0;
      for (std::size_t const t : order) {
        if (random() % 8 != 0) {
          left[t] = detect::join_early(launch.context, t, *shadows[t]);
          joined_whole += left[t]->empty();
        }
        ended[t] = true;
        while (next != teams.size() && ended[next] && random() % 4 != 0) {
          launch.commit(next, *shadows[next], left[next] ? &*left[next] : nullptr);
          ++next;
        }
      }
      for (; next != teams.size(); ++next) launch.commit(next, *shadows[next], left[next] ? &*left[next] : nullptr);
      taken_out += launch.context.taken_out;
      BOOST_REQUIRE_EQUAL_COLLECTIONS(launch.found.begin(), launch.found.end(), serial.found.begin(), serial.found.end());
      auto const got = launch.state();
      BOOST_REQUIRE_EQUAL_COLLECTIONS(got.begin(), got.end(), expected.begin(), expected.end());
      BOOST_REQUIRE(launch.context.raced == serial.context.raced);
    }
  }
  BOOST_TEST((joined_whole > 0u || FEWER_STEPS > 1));  // of few teams with atomics all may leave something
  BOOST_TEST((taken_out > 0u) == (mode > 0));
}

}  // namespace

BOOST_AUTO_TEST_CASE(right_teams) { same_as_one_by_one(0, 1); }
BOOST_AUTO_TEST_CASE(teams_that_race) { same_as_one_by_one(1, 2); }
BOOST_AUTO_TEST_CASE(atomics_and_parts_of_words) { same_as_one_by_one(2, 3); }

BOOST_AUTO_TEST_CASE(side_by_side) {
  std::mt19937 random(4);
  for (int round = 0; round != 100 / FEWER_STEPS; ++round) {
    Memory one_by_one, early;
    std::vector<TeamAccesses> const teams = random_teams(random, round % 3);
    Launch serial(one_by_one.begin, false);
    for (std::size_t t = 0; t != teams.size(); ++t) serial.commit(t, *serial.shadow_of(teams[t]), nullptr);
    auto const expected = serial.state();
    Launch launch(early.begin, true);
    std::vector<std::unique_ptr<TeamShadow>> shadows;
    for (TeamAccesses const& t : teams) shadows.push_back(launch.shadow_of(t));
    Lefts left(teams.size());
    std::vector<std::atomic<bool>> ended(teams.size());
    {
      std::vector<std::jthread> workers;
      for (std::size_t t = 0; t != teams.size(); ++t)
        workers.emplace_back([&, t] {
          left[t] = detect::join_early(launch.context, t, *shadows[t]);
          ended[t] = true;
        });
      for (std::size_t t = 0; t != teams.size(); ++t) {
        while (!ended[t]) std::this_thread::yield();
        launch.commit(t, *shadows[t], &*left[t]);
      }
    }
    BOOST_REQUIRE_EQUAL_COLLECTIONS(launch.found.begin(), launch.found.end(), serial.found.begin(), serial.found.end());
    auto const got = launch.state();
    BOOST_REQUIRE_EQUAL_COLLECTIONS(got.begin(), got.end(), expected.begin(), expected.end());
  }
}
