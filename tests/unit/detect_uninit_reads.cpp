// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates for uninitialised reads, kept in runs: they come out as they went in.
#include "../../sim/detect/Uninit.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

using namespace teamsan;
using detect::UninitRead;
using detect::UninitReads;

namespace {

UninitRead read_of(std::uint32_t site, std::uintptr_t address, std::uint32_t lane, std::uint32_t stamp = 1,
                   std::uint64_t league = 0) {
  UninitRead u{};
  u.key = {Rule::uninit_global, Site{site}, Site{}, 3};
  u.address = address;
  u.bytes = 4;
  u.lane = lane;
  u.league = league;
  u.site = Site{site};
  u.who = stamp << who::stamp_shift | lane;
  return u;
}

auto fields(UninitRead const& u) {
  return std::tuple(u.key.site, u.address, u.bytes, u.lane, u.league, u.interval, u.site, u.scratch, u.atomic,
                    u.who);
}

std::vector<decltype(fields(UninitRead{}))> sorted(std::vector<UninitRead> const& reads) {
  std::vector<decltype(fields(UninitRead{}))> all;
  for (UninitRead const& u : reads) all.push_back(fields(u));
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<UninitRead> list_of(UninitReads const& reads) {
  std::vector<UninitRead> all;
  reads.for_each([&](UninitRead const& u) { all.push_back(u); });
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_come_out_as_they_went_in) {
  std::mt19937 random(9);
  for (int round = 0; round != 100; ++round) {
    UninitReads reads, launch;
    std::vector<UninitRead> oracle;
    auto const add = [&](UninitRead const& u) {
      reads.add(u);
      oracle.push_back(u);
    };
    for (int part = 0; part != 10; ++part) {
      std::uintptr_t const at = 1000 + random() % 500, step = 1 + random() % 9;
      std::uint32_t const stamp = 1 + random() % 3;
      for (std::uint32_t i = 0; i != 30; ++i) switch (part % 5) {
          case 0:
            add(read_of(1, at + step * i, i, stamp));
            break;
          case 1:
            add(read_of(2, at - step * i, 31 - i, stamp));
            break;
          case 2:
            add(read_of(3, at + step * i, 4, stamp)), add(read_of(4, at + 4 * i, i, stamp));
            break;
          case 3:
            add(read_of(5, at, i, stamp, i / 8));
            break;
          default:
            UninitRead u = read_of(6 + random() % 2, at + random() % 40, random() % 32, 1 + random() % 2);
            u.atomic = random() % 4 == 0;
            u.bytes = 1u << random() % 4;
            u.interval = random() % 2;
            add(u);
        }
    }
    BOOST_REQUIRE(sorted(list_of(reads)) == sorted(oracle));
    launch.append(reads);
    launch.append(reads);
    BOOST_REQUIRE(list_of(launch).size() == 2 * oracle.size());
    for (std::uintptr_t word = 600; word != 2000; word += 4) {
      bool const expected = std::any_of(oracle.begin(), oracle.end(),
                                        [&](UninitRead const& u) { return u.address / 4 * 4 == word; });
      BOOST_REQUIRE(reads.has_word(word) == expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_array_that_all_lanes_read_is_little) {
  UninitReads reads;
  for (std::uint32_t lane = 0; lane != 128; ++lane)
    for (std::uintptr_t i = 0; i != 1000; ++i)
      reads.add(read_of(1, 4096 + 8 * i, lane)), reads.add(read_of(2, 65536 + 4 * i, lane));
  BOOST_TEST(reads.kept() == 256u);
}

BOOST_AUTO_TEST_CASE(reads_in_no_order_are_bounded_and_each_key_has_one) {
  UninitReads reads;
  for (std::uintptr_t i = 0; i != UninitReads::most_runs * 2; ++i)
    reads.add(read_of(1, 4 * (i * 3 + i % 2 + i / 2 % 3), 0, 1, i % 2));
  reads.add(read_of(2, 4096, 0));
  BOOST_TEST(reads.kept() <= UninitReads::most_runs + 1);
  BOOST_TEST((list_of(reads).back().site == Site{2}));
}
