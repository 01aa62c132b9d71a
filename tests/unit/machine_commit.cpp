// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams take effect in league order, whenever they are done: findings, the shadow and what is kept are those
// of teams committed one by one.
#include "../../sim/base/ScratchSlots.hpp"
#include "../../sim/detect/LaunchChecks.hpp"
#include "../../sim/findings/Collector.hpp"
#include "../../sim/host/Memory.hpp"
#include "../../sim/machine/Commit.hpp"
#include "../../sim/machine/RunningTeam.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::uint64_t league = 24;
constexpr std::size_t words = 64;

struct Run {
  std::vector<std::uint64_t> shadow;
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>> findings;
  friend bool operator==(Run const&, Run const&) = default;
};

/// What team `rank` does, whoever commits it when: the same in all runs.
void act(RunningTeam& team, std::uintptr_t begin) {
  std::mt19937 random(static_cast<unsigned>(team.league_rank()));
  for (int i = 0; i != 12; ++i) {
    std::uintptr_t const address = begin + 4 * (random() % words);
    Cell& cell = team.shadow().line(address).first[address / 4 % Line::words];
    auto const site = static_cast<std::uint32_t>(0x100 + random() % 3);
    (random() % 4 == 0 ? cell.write : cell.read) = {Site{site}, who::first_stamp | static_cast<Who>(random() % 8)};
  }
}

/// Teams are done in that order.
Run run(std::vector<std::uint64_t> const& order) {
  Collector::instance().clear();
  auto const begin = reinterpret_cast<std::uintptr_t>(allocate(Space::device, 4 * words, 0, "data"));
  zero(reinterpret_cast<void*>(begin), 4 * words);
  AtomicOrder atomic_order;
  LaunchState launch;
  launch.facts.config.label = "kernel";
  launch.facts.config.league_size = league;
  launch.facts.config.team_size = 8;
  launch.facts.number = 1;
  launch.epoch = global_shadow::next_epoch();
  launch.atomic_order = &atomic_order;
  FiberPool fibers(&RunningTeam::fiber_main);
  std::vector<std::unique_ptr<RunningTeam>> teams;
  detect::LaunchChecks checks(launch);
  launch.checks = &checks;
  CommitQueue queue(launch);
  launch.commit = &queue;
  for (std::uint64_t const rank : order) {
    RunningTeam& team = *teams.emplace_back(std::make_unique<RunningTeam>(fibers));
    team.begin(launch, rank, scratch_slots::of_team(rank));
    act(team, begin);
    queue.add(team, false);
  }
  queue.finish();
  Run result;
  for (std::size_t w = 0; w != words; ++w) {
    std::uint64_t const main = *global_shadow::cell(begin + 4 * w);
    result.shadow.push_back(main & ~std::uint64_t{63});  // but for the launch's number
    result.shadow.push_back(*global_shadow::extra(begin + 4 * w));
  }
  for (Finding const& f : Collector::instance().findings())
    result.findings.emplace_back(f.title, f.count, f.data.offset,
                                 f.sides.at(0).league * 1000 + f.sides.at(1).league);
  Collector::instance().clear();
  deallocate(reinterpret_cast<void*>(begin));
  return result;
}

}  // namespace

BOOST_AUTO_TEST_CASE(in_whatever_order_teams_are_done) {
  std::vector<std::uint64_t> order(league);
  std::iota(order.begin(), order.end(), 0u);
  Run const one_by_one = run(order);
  BOOST_REQUIRE(!one_by_one.findings.empty());
  std::mt19937 random(3);
  for (int i = 0; i != 30; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    Run const shuffled = run(order);
    BOOST_REQUIRE(shuffled.shadow == one_by_one.shadow);
    BOOST_REQUIRE((shuffled.findings == one_by_one.findings));
  }
  std::iota(order.rbegin(), order.rend(), 0u);
  BOOST_TEST((run(order) == one_by_one));
}
