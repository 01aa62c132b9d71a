// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ids: eight digits, of which the first six are what an id once was.
#include <boost/test/unit_test.hpp>

#include "../../sim/report/FindingId.hpp"

#include <random>
#include <set>

using namespace teamsan;

BOOST_AUTO_TEST_CASE(the_first_six_digits_are_the_id_of_old) {
  std::mt19937_64 random(1);
  for (int i = 0; i != 1000; ++i) {
    std::uint64_t const hash = random();
    std::string const id = id_of_hash(hash);
    char old[16];
    std::snprintf(old, sizeof old, "TS-%06x", static_cast<unsigned>((hash ^ hash >> 24 ^ hash >> 48) & 0xffffff));
    BOOST_TEST(id.substr(0, 9) == old);
    BOOST_TEST(once_called(id) == old);
    BOOST_TEST(is_finding_id(id));
  }
}

BOOST_AUTO_TEST_CASE(the_last_two_digits_tell_apart_what_the_first_six_do_not) {
  // All of these hashes have the same first six digits.
  std::set<std::string> ids;
  for (std::uint64_t i = 0; i != 256; ++i) ids.insert(id_of_hash(i << 24 ^ i));
  BOOST_TEST(ids.size() > 150);
  std::mt19937_64 random(2);
  ids.clear();
  for (int i = 0; i != 20'000; ++i) ids.insert(id_of_hash(random()));
  BOOST_TEST(ids.size() >= 19'998);  // of six digits a dozen would be twice there
}

BOOST_AUTO_TEST_CASE(an_id_of_old_names_its_finding) {
  BOOST_TEST(names_finding("TS-3f9a1c07", "TS-3f9a1c07"));
  BOOST_TEST(names_finding("TS-3f9a1c", "TS-3f9a1c07"));
  BOOST_TEST(names_finding("TS-3f9a1c-2", "TS-3f9a1c07-2"));
  BOOST_TEST(!names_finding("TS-3f9a1c", "TS-3f9a1c07-2"));
  BOOST_TEST(!names_finding("TS-3f9a1c08", "TS-3f9a1c07"));
  BOOST_TEST(!names_finding("TS-3f9a", "TS-3f9a1c07"));
  BOOST_TEST(!names_finding("TS-3f9a1c07", "TS-3f9a1c"));
  BOOST_TEST(once_called("TS-3f9a1c07-2") == "TS-3f9a1c-2");
  BOOST_TEST(once_called("TS-3f9a1c") == "TS-3f9a1c");
}

BOOST_AUTO_TEST_CASE(what_is_an_id) {
  for (char const* text : {"TS-3f9a1c07", "TS-3f9a1c", "TS-3f9a1c07-2"}) BOOST_TEST(is_finding_id(text));
  for (char const* text : {"", "TS-", "TS-3f9a1", "TS-3f9a1c0", "TS-3f9a1c070", "TS-3F9A1C07", "3f9a1c07", "TS-3f9a1g07"})
    BOOST_TEST(!is_finding_id(text));
}
