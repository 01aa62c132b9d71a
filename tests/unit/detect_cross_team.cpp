// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The join of teams: what each did to a line, committed in league order, against a list of all accesses. Two
// teams race on a byte if one writes it and not both are atomic; a launch leaves initialised what it wrote.
#include "../../sim/detect/CrossTeam.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/TeamShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::size_t words = 8;

/// What a team does to a byte.
struct ByteAccess {
  bool writes = false, reads = false, write_atomic = false, read_atomic = false;
};
using TeamAccesses = std::array<ByteAccess, 4 * words>;

bool race(ByteAccess const& a, ByteAccess const& b) {
  return (a.writes && b.writes && !(a.write_atomic && b.write_atomic)) ||
         (a.writes && b.reads && !(a.write_atomic && b.read_atomic)) ||
         (a.reads && b.writes && !(a.read_atomic && b.write_atomic));
}

struct Launch {
  AtomicOrder order;
  std::uint32_t const epoch = global_shadow::next_epoch();
  detect::CommitContext context{epoch, 1, 0, true, &order};
  detect::CommitContext::Verdicts verdicts;
  detect::UninitReads none;
  detect::FindingList findings;
  std::uint64_t count = 0;

  Launch() {
    context.verdicts = &verdicts;
    context.uninit = &none;
  }

  void commit(std::uint64_t league_rank, std::uintptr_t begin, TeamAccesses const& accesses) {
    TeamShadow shadow;
    shadow.reset(epoch, no_context);
    auto const mark = [&](bool does, bool atomic, std::uint32_t number) {
      return does ? Mark{Site{number},
                         who::first_stamp | (atomic ? who::atomic : 0) | static_cast<Who>(league_rank % 7)}
                  : Mark{Site{}, 0};
    };
    for (std::size_t w = 0; w != words; ++w) {
      ByteAccess const* const d = &accesses[4 * w];
      auto const same = [](ByteAccess const& a, ByteAccess const& b) {
        return a.writes == b.writes && a.reads == b.reads && a.write_atomic == b.write_atomic &&
               a.read_atomic == b.read_atomic;
      };
      Line& line = shadow.line(begin + 4 * w);
      bool const whole = line.per_byte == nullptr && same(d[0], d[1]) && same(d[0], d[2]) && same(d[0], d[3]);
      for (unsigned b = 0; b != 4; ++b) {
        Cell& cell = whole ? line.first[w] : shadow.split(line).first[4 * w + b];
        if (Mark const m = mark(d[b].writes, d[b].write_atomic, 0x100); m.who != 0) cell.write = m;
        if (Mark const m = mark(d[b].reads, d[b].read_atomic, 0x200); m.who != 0) cell.read = m;
      }
    }
    detect::FindingList of_team;
    detect::commit(context, league_rank, shadow, of_team);
    for (auto const& [key, finding] : of_team.list()) count += finding.count;
    findings.merge(std::move(of_team));
  }
};

bool is_initialised(std::uintptr_t address, std::uint32_t epoch) {
  return global_shadow::init_before(*global_shadow::cell(address), epoch) >> address % 4 & 1;
}

GlobalWord word_at(std::uintptr_t address) {
  return global_shadow::unpack(*global_shadow::cell(address), *global_shadow::extra(address));
}

/// `bytewise`: parts of words too; `atomic`: atomics too.
TeamAccesses random_accesses(std::mt19937& random, bool bytewise, bool atomics) {
  TeamAccesses accesses{};
  for (std::size_t w = 0; w != words; ++w) {
    bool const parts = bytewise && random() % 2 == 0;
    ByteAccess of_word;
    for (unsigned b = 0; b != 4; ++b) {
      ByteAccess& d = accesses[4 * w + b];
      if (b != 0 && !parts) {
        d = of_word;
        continue;
      }
      if (random() % 3 != 0) continue;
      d.writes = random() % 4 == 0;
      d.reads = random() % 2 == 0;
      d.write_atomic = atomics && random() % 2 == 0;
      d.read_atomic = atomics && random() % 2 == 0;
      of_word = d;
    }
  }
  return accesses;
}

void launches_against_the_oracle(bool bytewise, bool atomics, unsigned seed) {
  std::mt19937 random(seed);
  auto const begin = reinterpret_cast<std::uintptr_t>(allocate(Space::device, 4 * words, 0, "data"));
  std::array<bool, 4 * words> initialised{};
  for (int round = 0; round != 400; ++round) {
    Launch launch;
    std::vector<TeamAccesses> teams;
    std::size_t const league = 1 + random() % 5;
    for (std::size_t i = 0; i != league; ++i) {
      for (std::size_t b = 0; b != 4 * words; ++b)
        BOOST_REQUIRE(is_initialised(begin + b, launch.epoch) ==
                      initialised[b]);  // the launch changes no answer
      teams.push_back(random_accesses(random, bytewise, atomics));
      launch.commit(i, begin, teams.back());
    }
    bool any = false;
    for (std::size_t w = 0; w != words; ++w) {
      bool races = false;
      for (std::size_t b = 4 * w; b != 4 * w + 4; ++b)
        for (std::size_t i = 0; i != league; ++i) {
          initialised[b] |= teams[i][b].writes;
          for (std::size_t k = 0; k != i; ++k) races |= race(teams[i][b], teams[k][b]);
        }
      any |= races;
      GlobalWord const g = word_at(begin + 4 * w);
      BOOST_REQUIRE((g.epoch == launch.epoch && g.raced) == races);
    }
    BOOST_REQUIRE(launch.context.raced == any);
    BOOST_REQUIRE((launch.count != 0) == any);
  }
  deallocate(reinterpret_cast<void*>(begin));
}

/// A team that touches whole lines, mostly all of them alike: by which instructions, which words it leaves, wide or not.
struct AlikeAccesses {
  std::uint32_t write = 0, read = 0;                       ///< sites; 0: none
  unsigned left_out = ~0u, otherwise = ~0u, atomic = ~0u;  ///< words
  std::uint32_t bytes = 8;
  std::uint32_t first_lane = 0;
};

AlikeAccesses random_alike(std::mt19937& random) {
  AlikeAccesses a;
  unsigned const kind = random() % 4;
  if (kind != 0) a.write = 0x100 + random() % 2;
  if (kind != 1) a.read = 0x200 + random() % 2;
  auto const now_and_then = [&](unsigned& word) {
    if (random() % 4 == 0) word = random() % 64;
  };
  now_and_then(a.left_out);
  now_and_then(a.otherwise);
  now_and_then(a.atomic);
  a.bytes = random() % 2 != 0 ? 8 : 4;
  a.first_lane = random() % 900;
  return a;
}

constexpr std::size_t lines = 4;

void commit_alike(Launch& launch, std::uint64_t league_rank, std::uintptr_t begin, AlikeAccesses const& a) {
  TeamShadow shadow;
  shadow.reset(launch.epoch, no_context);
  for (unsigned w = 0; w != lines * Line::words; ++w) {
    if (w == a.left_out) continue;
    Line& line = shadow.line_for(begin + 4 * w, a.bytes);
    unsigned const at = w % Line::words;
    if (line.wide && at % 2 != 0) continue;
    Cell& cell = line.first[at >> line.wide];
    Who const who = who::first_stamp * (1 + w % 3) + (a.first_lane + w) % 1000 + (w == a.atomic ? who::atomic : 0);
    if (a.write != 0) cell.write = {Site{w == a.otherwise ? 0x300 : a.write}, who};
    if (a.read != 0) cell.read = {Site{a.read}, who};
  }
  detect::FindingList of_team;
  detect::commit(launch.context, league_rank, shadow, of_team);
  for (auto const& [key, finding] : of_team.list()) launch.count += finding.count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lines_touched_alike_are_known_as_by_their_words) {
  std::mt19937 random(5);
  auto const new_lines = [] { return reinterpret_cast<std::uintptr_t>(allocate(Space::device, 64 * lines, 0, "lines")); };
  std::uintptr_t const at_once = new_lines(), by_words = new_lines();
  BOOST_REQUIRE(at_once % 64 == 0 && by_words % 64 == 0);
  for (int round = 0; round != 2000; ++round) {
    Launch launch, other;
    other.context.joins_early = true;  // which looks at each word by itself
    for (std::uint64_t i = 0, league = 1 + random() % 3; i != league; ++i) {
      AlikeAccesses const a = random_alike(random);
      commit_alike(launch, i, at_once, a);
      commit_alike(other, i, by_words, a);
    }
    BOOST_REQUIRE(launch.count == other.count);
    BOOST_REQUIRE(launch.context.raced == other.context.raced);
    for (std::size_t w = 0; w != lines * Line::words; ++w) {
      GlobalWord const g = word_at(at_once + 4 * w), h = word_at(by_words + 4 * w);
      BOOST_REQUIRE((g.epoch == launch.epoch) == (h.epoch == other.epoch));
      if (g.epoch != launch.epoch) continue;
      BOOST_REQUIRE(g.init == h.init && g.team == h.team && g.written == h.written && g.read == h.read);
      BOOST_REQUIRE(g.write_lane == h.write_lane && g.read_lane == h.read_lane);
      BOOST_REQUIRE(g.write_site == h.write_site && g.read_site == h.read_site);
      BOOST_REQUIRE(g.write_atomic == h.write_atomic && g.read_atomic == h.read_atomic && g.raced == h.raced);
    }
  }
  deallocate(reinterpret_cast<void*>(at_once));
  deallocate(reinterpret_cast<void*>(by_words));
}

BOOST_AUTO_TEST_CASE(whole_words) { launches_against_the_oracle(false, false, 1); }
BOOST_AUTO_TEST_CASE(parts_of_words) { launches_against_the_oracle(true, false, 2); }

BOOST_AUTO_TEST_CASE(atomics) { launches_against_the_oracle(false, true, 3); }
BOOST_AUTO_TEST_CASE(atomics_on_parts_of_words) { launches_against_the_oracle(true, true, 4); }

BOOST_AUTO_TEST_CASE(a_finding_names_both_teams) {
  auto const begin = reinterpret_cast<std::uintptr_t>(allocate(Space::device, 4 * words, 0, "data"));
  Launch launch;
  TeamAccesses reads{}, writes{};
  for (unsigned b = 0; b != 4; ++b) reads[b].reads = writes[b].writes = true;
  launch.commit(3, begin, reads);
  launch.commit(9, begin, writes);
  BOOST_REQUIRE(launch.findings.list().size() == 1u);
  detect::RawFinding const& f = launch.findings.list().front().second;
  BOOST_TEST((f.rule == Rule::global_race && f.data.label == "data" && f.data.offset == 0));
  BOOST_REQUIRE(f.sides.size() == 2u);
  BOOST_TEST((f.sides[0].access == AccessKind::write && f.sides[0].lane.league == 9));
  BOOST_TEST((f.sides[1].access == AccessKind::read && f.sides[1].lane.league == 3));
  deallocate(reinterpret_cast<void*>(begin));
}

BOOST_AUTO_TEST_CASE(freed_memory_is_left_alone) {
  auto const begin = reinterpret_cast<std::uintptr_t>(allocate(Space::device, 4 * words, 0, "data"));
  Launch launch;
  TeamShadow shadow;
  shadow.reset(launch.epoch, no_context);
  shadow.line(begin).first[0].write = {Site{0x100}, who::first_stamp};
  deallocate(reinterpret_cast<void*>(begin));
  detect::FindingList findings;
  detect::commit(launch.context, 0, shadow, findings);
  BOOST_TEST(word_at(begin).epoch != launch.epoch);
}

BOOST_AUTO_TEST_CASE(sites_are_numbered_once) {
  detect::SiteTable sites;
  BOOST_TEST(sites.id(Site{0x500}) == 1u);
  BOOST_TEST(sites.id(Site{0x600}) == 2u);
  for (std::uint32_t i = 0; i != 20'000; ++i) {
    std::uint32_t const id = sites.id(Site{0x10000 + i});
    BOOST_REQUIRE(id ==
                  (i + 3 <= global_shadow::max_site ? i + 3 : 0));  // unknown once numbers have run out
  }
  BOOST_TEST(sites.id(Site{0x600}) == 2u);
  BOOST_TEST((sites.site(0) == Site{}));
}
