// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The accesses of lanes put together to accesses of warps: WarpLog alone, with lanes that do as they are told here. What
/// it should say is counted naively beside it: the k-th execution of an instruction by a lane, since the warp's records
/// were last taken, belongs with the k-th by each of the others.
#include "../../sim/machine/WarpLog.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using namespace teamsan;

namespace {

struct Step {
  Site site;
  std::uintptr_t address;
};
using Program = std::vector<Step>;  ///< of a lane

std::uint64_t key_of(Step const& step) { return warp_key(step.site, model::Operation::load, 2, true); }

/// (key, occurrence) -> lane of the warp -> address
using Accesses = std::map<std::pair<std::uint64_t, std::uint32_t>, std::map<std::uint32_t, std::uintptr_t>>;

class Warps {
 public:
  Warps(std::uint32_t lanes, std::uint32_t width) : m_expected((lanes + width - 1) / width), m_width(width) {
    m_log.begin(lanes, width);
  }

  /// The lane runs these steps, and is left. False: its warp's log was full before a step.
  bool run(std::uint32_t lane, Program const& program, std::size_t begin, std::size_t end) {
    bool room = true;
    m_log.enter(lane);
    for (std::size_t i = begin; i != end; ++i) {
      Step const& step = program[i];
      if (!log_quickly(key_of(step), step.address) && !m_log.lead(key_of(step), step.address) &&
          !m_log.add(key_of(step), step.address, false)) {
        room = false;
        BOOST_TEST(m_log.add(key_of(step), step.address, true));
      }
      std::uint32_t const occurrence = m_done[{lane, key_of(step)}]++;
      m_expected[m_log.warp_of(lane)][{key_of(step), occurrence}][lane % m_width] = step.address;
    }
    m_log.leave(lane);
    return room;
  }

  /// Takes what the warp did, and compares. The keys in the order in which they came.
  std::vector<std::uint64_t> take(std::uint32_t warp) {
    Accesses seen;
    std::vector<std::uint64_t> keys;
    std::uint32_t const window = m_log.window(warp);
    m_log.flush(warp, [&](WarpRecord const& r, std::uint32_t w) {
      BOOST_TEST(w == warp);
      keys.push_back(r.key);
      auto& lanes = seen[{r.key, r.occurrence}];
      BOOST_TEST(lanes.empty());
      for (std::uint32_t l = 0; l != m_width; ++l) {
        if (r.active >> l & 1)
          lanes[l] = r.base + static_cast<std::uintptr_t>(r.offset(l));
        else
          BOOST_TEST(r.offset(l) == 0);
      }
    });
    BOOST_TEST(m_log.window(warp) != window);
    BOOST_TEST((seen == m_expected[warp]));
    m_expected[warp].clear();
    std::erase_if(m_done, [&](auto const& done) { return done.first.first / m_width == warp; });
    return keys;
  }
  void take_all() {
    for (std::uint32_t w = 0; w != m_expected.size(); ++w) take(w);
  }

 private:
  WarpLog m_log;
  std::vector<Accesses> m_expected;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> m_done;  ///< by lane and key, in this window
  std::uint32_t m_width;
};

/// What all lanes of a kernel might do: straight code, loops, and branches that lanes take or not.
Program random_program(std::mt19937& random, std::vector<std::uintptr_t> const& code, std::uint32_t lane) {
  Program program;
  unsigned const likes_branches = random() % 3;  // of three lanes one takes the common way
  for (std::uint32_t const site : code) {
    if (likes_branches == 0 && random() % 4 == 0) continue;
    unsigned const turns = likes_branches == 1 ? random() % 3 : 1;
    for (unsigned t = 0; t != turns; ++t) program.push_back({Site{site}, 0x10000 + site + 4 * lane + 64 * (random() % 3)});
  }
  return program;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_that_do_the_same_are_one_access_each) {
  Warps warps(32, 32);
  Program program;
  for (std::uint32_t const site : {10, 20, 20, 30}) program.push_back({Site{site}, 0});
  for (std::uint32_t lane = 0; lane != 32; ++lane) {
    for (std::size_t i = 0; i != program.size(); ++i) program[i].address = 0x1000 * (i + 1) + 4 * lane;
    warps.run(lane, program, 0, program.size());
  }
  BOOST_TEST(warps.take(0).size() == 4u);
}

BOOST_AUTO_TEST_CASE(addresses_below_the_first_lanes_are_found_again) {
  Warps warps(2, 32);
  warps.run(0, {{Site{10}, 0x200000000}}, 0, 1);
  warps.run(1, {{Site{10}, 0x1fffffff0}}, 0, 1);
  warps.take(0);
}

BOOST_AUTO_TEST_CASE(records_come_in_the_order_of_the_first_lane) {
  std::mt19937 random(5);
  Warps warps(32, 32);
  Program first;
  for (unsigned i = 0; i != 100; ++i) first.push_back({Site{static_cast<std::uint32_t>(random() % 7)}, 4 * i});
  warps.run(0, first, 0, first.size());
  Program reversed(first.rbegin(), first.rend());
  warps.run(1, reversed, 0, reversed.size());
  std::vector<std::uint64_t> const keys = warps.take(0);
  BOOST_TEST(std::equal(first.begin(), first.end(), keys.begin(), keys.begin() + 100,
                        [](Step const& s, std::uint64_t key) { return key_of(s) == key; }));
}

/// Lanes that branch, loop and wait in the middle, warps that are full or not, taken now and then.
BOOST_AUTO_TEST_CASE(whatever_lanes_do_the_kth_belongs_with_the_kth) {
  for (unsigned seed = 1; seed != 200 / FEWER_STEPS; ++seed) {
    std::mt19937 random(seed);
    std::uint32_t const width = 16u << random() % 3, lanes = 1 + random() % 130;
    std::vector<std::uintptr_t> code;
    for (unsigned i = 5 + random() % 60; i != 0; --i) code.push_back(0x400 + random() % 40);
    std::vector<Program> programs;
    for (std::uint32_t lane = 0; lane != lanes; ++lane) programs.push_back(random_program(random, code, lane));
    std::vector<std::size_t> at(lanes, 0);
    Warps warps(lanes, width);
    for (unsigned round = 0; round != 4; ++round) {
      for (std::uint32_t lane = 0; lane != lanes; ++lane) {
        Program const& p = programs[lane];
        std::size_t const end = round == 3 ? p.size() : at[lane] + random() % (p.size() - at[lane] + 1);
        BOOST_TEST(warps.run(lane, p, at[lane], end));
        at[lane] = end;
      }
      if (random() % 3 == 0) warps.take_all();
    }
    warps.take_all();
    warps.take_all();  // nothing is left
  }
}

BOOST_AUTO_TEST_CASE(a_warp_whose_log_is_full_says_so_and_loses_nothing) {
  Warps warps(33, 32);
  Program longer;
  for (std::uint32_t i = 0; i != WarpLog::max_records + 10; ++i) longer.push_back({Site{i % 5}, 8 * i});
  BOOST_TEST(warps.run(0, longer, 0, WarpLog::max_records));
  BOOST_TEST(warps.run(7, longer, 0, WarpLog::max_records));  // these have their records
  BOOST_TEST(warps.run(32, longer, 0, 10));                   // another warp
  BOOST_TEST(!warps.run(0, longer, WarpLog::max_records, longer.size()));
  warps.take_all();
  BOOST_TEST(warps.run(7, longer, 0, 10));
  warps.take_all();
}
