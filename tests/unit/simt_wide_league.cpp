// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leagues of more teams than a word of the global shadow has room for: any two teams are told apart.
#include "SimtHost.hpp"

#include "../../sim/detect/CrossTeam.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/TeamShadow.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using simt_host::KokkosGuard;
using namespace teamsan;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

struct WordAccess {
  unsigned word;
  bool writes;
};

/// Teams that are committed without having run.
class League {
 public:
  League(std::uintptr_t begin, AtomicOrder& order)
      : context{global_shadow::next_epoch(), 1, true, true, &order}, m_begin(begin) {
    context.uninit = &m_uninit;
    context.verdicts = &m_verdicts;
  }

  detect::FindingList commit(std::uint64_t rank, std::vector<WordAccess> const& accesses) {
    m_shadow.reset(context.epoch, 0);
    for (WordAccess const& access : accesses) {
      Cell& cell = m_shadow.line(m_begin + 4 * access.word).first[access.word % Line::words];
      (access.writes ? cell.write : cell.read) = {Site{0x1000u + access.writes}, who::first_stamp};
    }
    detect::FindingList findings;
    detect::commit(context, rank, m_shadow, findings);
    return findings;
  }

  detect::CommitContext context;

 private:
  std::uintptr_t m_begin;
  TeamShadow m_shadow;
  detect::UninitReads m_uninit;
  detect::CommitContext::Verdicts m_verdicts;
};

/// A View whose first element begins a line.
struct Words {
  Kokkos::View<int*, simt_host::Space> view{"words", 256};
  std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(view.data()) + 63) / 64 * 64;
};

constexpr std::uint64_t many = std::uint64_t{1} << 24;

}  // namespace

BOOST_AUTO_TEST_CASE(neighbours_and_teams_that_lie_a_whole_table_apart) {
  Words const words;
  for (auto const& [first, second] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {0, 1}, {many - 1, many}, {many, many + 1}, {0, many}, {5, 2 * many + 5}, {0, 127 * many}}) {
    AtomicOrder order;
    League league(words.begin, order);
    BOOST_TEST(league.commit(first, {{0, true}}).empty());
    detect::FindingList findings = league.commit(second, {{0, true}});
    BOOST_REQUIRE(findings.list().size() == 1u);
    auto const& sides = findings.list()[0].second.sides;
    BOOST_TEST(sides[0].lane.league == first);
    BOOST_TEST(sides[1].lane.league == second);
  }
}

/// Two teams conflict if both touched a word and one of them wrote it.
BOOST_AUTO_TEST_CASE(as_counted_naively) {
  Words const words;
  for (unsigned seed = 1; seed != 200; ++seed) {
    std::mt19937 random(seed);
    AtomicOrder order;
    League league(words.begin, order);
    std::vector<std::uint64_t> ranks;
    for (unsigned i = 0; i != 8; ++i) ranks.push_back(random() % 3 * many + random() % 3);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::map<unsigned, bool> touched;  // by earlier teams; written
    for (std::uint64_t const rank : ranks) {
      std::vector<WordAccess> accesses;
      for (unsigned i = random() % 3; i != 0; --i)
        accesses.push_back({static_cast<unsigned>(random() % 40), random() % 4 == 0});
      bool const conflict = std::any_of(accesses.begin(), accesses.end(), [&](WordAccess const& d) {
        auto const found = touched.find(d.word);
        return found != touched.end() && (d.writes || found->second);
      });
      BOOST_TEST(league.commit(rank, accesses).empty() == !conflict);
      if (conflict) break;  // of a word that raced less is known
      for (WordAccess const& d : accesses) touched[d.word] |= d.writes;
    }
  }
}

BOOST_AUTO_TEST_CASE(where_atomics_order_teams_of_such_a_league_it_says_so) {
  Words const words;
  AtomicOrder order;
  auto& log = order.log(3, 1);
  order.release(log, {0, 1, 2, 1, 1}, words.begin + 400, 2);
  League league(words.begin, order);
  BOOST_TEST(league.commit(0, {{0, true}}).empty());
  BOOST_TEST(!league.context.not_judged.any());
  BOOST_TEST(league.commit(1, {{0, true}}).empty());
  BOOST_TEST(league.context.not_judged.any());
}
