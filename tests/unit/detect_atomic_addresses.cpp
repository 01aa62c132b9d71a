// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which addresses atomics update: exact while there is room, and the same whichever worker saw which team.
#include "../../sim/detect/AtomicAddresses.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

using namespace teamsan;
using detect::AtomicAddresses;

namespace {

/// Team `t` updates 32 words from t * 24 on, of `words`, and word 7 twice; the lanes' offsets sorted, as a warp gives them.
void add_team(AtomicAddresses& addresses, std::uint64_t t, std::uint64_t words) {
  std::vector<std::int64_t> offsets;
  for (std::uint64_t i = 0; i != 32; ++i) offsets.push_back(static_cast<std::int64_t>((t * 24 + i) % words * 4));
  std::sort(offsets.begin(), offsets.end());
  addresses.add(offsets, t);
  addresses.add(std::vector<std::int64_t>{28, 28}, t);
}

void check_same(Contention const& a, Contention const& b) {
  BOOST_TEST(a.wanted == b.wanted);
  BOOST_TEST(a.worst == b.worst);
  BOOST_TEST(a.addresses == b.addresses);
  BOOST_TEST(a.one_in == b.one_in);
  BOOST_REQUIRE(a.hottest.size() == b.hottest.size());
  for (std::size_t i = 0; i != a.hottest.size(); ++i) {
    BOOST_TEST(a.hottest[i].offset == b.hottest[i].offset);
    BOOST_TEST(a.hottest[i].updates == b.hottest[i].updates);
    BOOST_TEST(a.hottest[i].teams == b.hottest[i].teams);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_updates_and_teams_are_counted) {
  AtomicAddresses a;
  a.add(std::vector<std::int64_t>{0, 0, 0, 4}, 0);
  a.add(std::vector<std::int64_t>{4, 8}, 0);
  a.add(std::vector<std::int64_t>{4}, 1);
  Contention const c = a.sum();
  BOOST_TEST(c.wanted == 3 + 1 + 1);
  BOOST_TEST(c.worst == 3);
  BOOST_TEST(c.addresses == 3);
  BOOST_TEST(c.one_in == 1);
  BOOST_REQUIRE(c.hottest.size() == 3);
  BOOST_TEST(c.hottest[0].offset == 0);  // of equals, the lowest
  BOOST_TEST(c.hottest[0].updates == 3);
  BOOST_TEST(c.hottest[0].teams == 1);
  BOOST_TEST(c.hottest[1].offset == 4);
  BOOST_TEST(c.hottest[1].updates == 3);
  BOOST_TEST(c.hottest[1].teams == 2);
}

BOOST_AUTO_TEST_CASE(workers_do_not_show_even_where_addresses_are_left_out) {
  for (std::uint64_t const words : {100u, 10'000u, 100'000u}) {
    AtomicAddresses one, even, odd, third;
    for (std::uint64_t t = 0; t != 6000; ++t) {
      add_team(one, t, words);
      add_team(t % 3 == 0 ? third : t % 2 == 0 ? even : odd, t, words);
    }
    BOOST_TEST((one.sum().one_in > 1) == (words > 20'000));
    AtomicAddresses joined;
    for (AtomicAddresses const* part : {&odd, &third, &even}) joined.add(*part);
    check_same(one.sum(), joined.sum());
    even.add(third);
    even.add(odd);
    check_same(one.sum(), even.sum());
  }
}
