// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The global-memory model against every recorded row of an H100, and the properties that its rules promise.
#include <boost/test/unit_test.hpp>

#include "model_access.hpp"

#include "../../model/device/GlobalMemory.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

using namespace teamsan;
using namespace teamsan::test;
using model::AtomicKind;
using model::count_global;
using model::Operation;

namespace {

model::Device const& h100() { return *model::find_device("h100"); }
model::Device const& mi300x() { return *model::find_device("mi300x"); }

std::uint32_t sectors(model::Device const& device, Lanes const& lanes, Operation operation,
                      std::uint32_t bytes) {
  return count_global(device, lanes.access(operation, bytes)).sectors;
}

void check_every_row(char const* file, std::size_t rows) {
  auto const csv = traces::read_hardware_csv(hardware_file(file));
  BOOST_REQUIRE_EQUAL(csv.rows.size(), rows);
  auto const requests_at = csv.counter("requests"), sectors_at = csv.counter("sectors");
  BOOST_REQUIRE(requests_at && sectors_at);
  for (auto const& row : csv.rows) {
    auto const counts = count_global(h100(), traces::warp_access(row));
    BOOST_CHECK_MESSAGE(
        counts.requests == row.counters[*requests_at] && counts.sectors == row.counters[*sectors_at],
        "line " << row.line << " " << row.op << " " << row.bytes_per_lane << " " << row.pattern << ": model "
                << counts.requests << "/" << counts.sectors << ", chip " << row.counters[*requests_at] << "/"
                << row.counters[*sectors_at]);
    BOOST_CHECK(counts.evidence == model::Evidence::measured);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_the_h100) {
  check_every_row("h100_global_memory.csv", 936);
  check_every_row("h100_global_memory_more.csv", 1602);
}

BOOST_AUTO_TEST_CASE(no_lane_no_request) {
  auto const lanes = Lanes::of([](std::uint64_t lane) { return lane * 4; }, 0);
  for (auto const& device : model::devices())
    for (auto operation : all_operations) {
      auto const counts = count_global(device, lanes.access(operation, 4));
      BOOST_CHECK_EQUAL(counts.requests, 0);
      BOOST_CHECK_EQUAL(counts.sectors, 0);
      BOOST_CHECK_EQUAL(ideal_sectors(device, lanes.access(operation, 4)), 0);
    }
}

BOOST_AUTO_TEST_CASE(rows_and_columns) {
  auto const stride = [](std::uint64_t bytes) {
    return Lanes::of([=](std::uint64_t lane) { return lane * bytes; });
  };
  BOOST_CHECK_EQUAL(sectors(h100(), stride(4), Operation::load, 4), 4);
  BOOST_CHECK_EQUAL(sectors(h100(), stride(8), Operation::load, 8), 8);
  BOOST_CHECK_EQUAL(sectors(h100(), stride(1024), Operation::load, 4), 32);
  BOOST_CHECK_EQUAL(sectors(h100(), stride(0), Operation::load, 4), 1);
  BOOST_CHECK_EQUAL(sectors(h100(), stride(0), Operation::atomic, 4), 32);
  BOOST_CHECK_EQUAL(ideal_sectors(h100(), stride(1024).access(Operation::load, 4)), 4);
  BOOST_CHECK_EQUAL(ideal_sectors(h100(), stride(0).access(Operation::load, 4)), 1);
  BOOST_CHECK_EQUAL(ideal_sectors(h100(), stride(16).access(Operation::load, 16)), 16);
}

BOOST_AUTO_TEST_CASE(loads_and_stores_move_each_touched_sector_once) {
  std::mt19937 engine(23);
  for (int round = 0; round < 3000; ++round) {
    auto const bytes = all_widths[round % all_widths.size()];
    auto lanes = random_lanes(engine, bytes, std::uint64_t{64} << round % 14);
    // Every fourth round misaligned, so that a lane may touch two sectors.
    if (round % 4 == 0)
      for (auto& address : lanes.addresses) address += engine() % 32;
    std::set<std::uint64_t> expected;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      for (std::uint64_t byte = 0; byte < bytes && (lanes.active >> lane & 1); ++byte)
        expected.insert((lanes.addresses[lane] + byte) / 32);
    BOOST_REQUIRE_EQUAL(sectors(h100(), lanes, Operation::load, bytes), expected.size());
    BOOST_REQUIRE_EQUAL(sectors(h100(), lanes, Operation::store, bytes), expected.size());
  }
}

BOOST_AUTO_TEST_CASE(lanes_may_swap_places) {
  std::mt19937 engine(29);
  for (int round = 0; round < 1000; ++round) {
    auto const bytes = all_widths[round % all_widths.size()];
    auto lanes = random_lanes(engine, bytes, 16384, true);
    auto const before = count_global(h100(), lanes.access(Operation::load, bytes));
    std::shuffle(lanes.addresses.begin(), lanes.addresses.begin() + 32, engine);
    BOOST_REQUIRE(count_global(h100(), lanes.access(Operation::load, bytes)) == before);
  }
}

BOOST_AUTO_TEST_CASE(inactive_lanes_do_not_matter) {
  std::mt19937 engine(31);
  for (int round = 0; round < 2000; ++round) {
    auto const bytes = all_widths[round % all_widths.size()];
    auto const operation = all_operations[round % all_operations.size()];
    auto lanes = random_lanes(engine, bytes, 4096);
    auto const before = count_global(h100(), lanes.access(operation, bytes));
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      if ((lanes.active >> lane & 1) == 0) lanes.addresses[lane] = engine();
    BOOST_REQUIRE(count_global(h100(), lanes.access(operation, bytes)) == before);
  }
}

BOOST_AUTO_TEST_CASE(atomics_repeat_a_sector_for_lanes_on_one_word) {
  // Within a line, the passes of a sector are the lanes on its most wanted word.
  std::mt19937 engine(37);
  for (int round = 0; round < 2000; ++round) {
    auto const lanes = random_lanes(engine, 4, 128);
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint32_t>> per_sector;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      if (lanes.active >> lane & 1) ++per_sector[lanes.addresses[lane] / 32][lanes.addresses[lane]];
    std::uint32_t expected = 0;
    for (auto const& [sector, words] : per_sector) {
      std::uint32_t most = 0;
      for (auto const& [word, count] : words) most = std::max(most, count);
      expected += most;
    }
    BOOST_REQUIRE_EQUAL(sectors(h100(), lanes, Operation::atomic, 4), expected);
  }
}

BOOST_AUTO_TEST_CASE(atomics_stay_between_distinct_sectors_and_lanes) {
  std::mt19937 engine(41);
  for (int round = 0; round < 3000; ++round) {
    auto const lanes = random_lanes(engine, 4, std::uint64_t{128} << round % 16);
    auto const atomic = sectors(h100(), lanes, Operation::atomic, 4);
    BOOST_REQUIRE_GE(atomic, sectors(h100(), lanes, Operation::load, 4));
    BOOST_REQUIRE_LE(atomic, static_cast<std::uint32_t>(std::popcount(lanes.active)));
  }
}

BOOST_AUTO_TEST_CASE(a_stranger_of_the_tag_bank_parts_lanes_of_a_sector) {
  // Lines 0 and 5 share a tag bank, 0 and 1 do not.
  auto const count = [](std::uint64_t line, std::uint64_t place, AtomicKind kind) {
    std::array<std::uint64_t, 3> const addresses{4, line * 128 + place * 4, 0};
    return count_global(h100(), {Operation::atomic, 4, 0b111, addresses, kind}).sectors;
  };
  BOOST_CHECK_EQUAL(count(5, 0, AtomicKind::integer_add), 3);
  BOOST_CHECK_EQUAL(count(5, 1, AtomicKind::integer_add), 2);
  BOOST_CHECK_EQUAL(count(1, 0, AtomicKind::integer_add), 2);
  BOOST_CHECK_EQUAL(count(5, 0, AtomicKind::compare_exchange), 3);
  // The stranger first, or last: nobody is parted.
  for (auto const& addresses : {std::array<std::uint64_t, 3>{640, 4, 0}, {4, 0, 640}})
    BOOST_CHECK_EQUAL(count_global(h100(), {Operation::atomic, 4, 0b111, addresses}).sectors, 2);
  // A line is led by its first lane, a compare-exchange by halves of a line.
  std::array<std::uint64_t, 4> const addresses{64, 640, 4, 0};
  auto const sectors_of = [&](AtomicKind kind) {
    return count_global(h100(), {Operation::atomic, 4, 0b1111, addresses, kind}).sectors;
  };
  BOOST_CHECK_EQUAL(sectors_of(AtomicKind::integer_add), 4);
  BOOST_CHECK_EQUAL(sectors_of(AtomicKind::compare_exchange), 3);
}

BOOST_AUTO_TEST_CASE(amd_moves_64_bytes) {
  auto const row = Lanes::of([](std::uint64_t lane) { return lane * 4; }, ~std::uint64_t{0});
  BOOST_CHECK_EQUAL(sectors(mi300x(), row, Operation::load, 4), 4);
  BOOST_CHECK_EQUAL(sectors(h100(), row, Operation::load, 4), 4);  // its upper 32 lanes do not exist there
  auto const counts = count_global(mi300x(), row.access(Operation::load, 4));
  BOOST_CHECK_EQUAL(counts.requests, 1);
  BOOST_CHECK(counts.evidence == model::Evidence::documented);
}
