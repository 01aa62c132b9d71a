// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The shared-memory model against every recorded row of an H100, and the properties that its rules promise.
#include <boost/test/unit_test.hpp>

#include "model_access.hpp"

#include "../../model/device/SharedMemory.hpp"

#include <algorithm>
#include <bit>
#include <map>

using namespace teamsan;
using namespace teamsan::test;
using model::AtomicKind;
using model::count_shared;
using model::Operation;

namespace {

model::Device const& h100() { return *model::find_device("h100"); }
model::Device const& mi300x() { return *model::find_device("mi300x"); }

std::uint32_t wavefronts(model::Device const& device, Lanes const& lanes, Operation operation,
                         std::uint32_t bytes) {
  return count_shared(device, lanes.access(operation, bytes)).wavefronts;
}

void check_every_row(char const* file, std::size_t rows) {
  auto const csv = traces::read_hardware_csv(hardware_file(file));
  BOOST_REQUIRE_EQUAL(csv.rows.size(), rows);
  auto const wavefronts_at = csv.counter("wavefronts"), conflicts_at = csv.counter("bank_conflicts");
  BOOST_REQUIRE(wavefronts_at && conflicts_at);
  for (auto const& row : csv.rows) {
    auto const counts = count_shared(h100(), traces::warp_access(row));
    BOOST_CHECK_MESSAGE(counts.wavefronts == row.counters[*wavefronts_at] &&
                            counts.bank_conflicts == row.counters[*conflicts_at],
                        "line " << row.line << " " << row.op << " " << row.bytes_per_lane << " "
                                << row.pattern << ": model " << counts.wavefronts << "/"
                                << counts.bank_conflicts << ", chip " << row.counters[*wavefronts_at] << "/"
                                << row.counters[*conflicts_at]);
    BOOST_CHECK(counts.evidence == model::Evidence::measured);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_row_of_the_h100) {
  check_every_row("h100_shared_memory.csv", 1144);
  check_every_row("h100_shared_memory_more.csv", 1392);
}

BOOST_AUTO_TEST_CASE(no_lane_no_wavefront) {
  auto const lanes = Lanes::of([](std::uint64_t lane) { return lane * 4; }, 0);
  for (auto operation : all_operations)
    for (auto bytes : all_widths)
      for (auto const& device : model::devices()) {
        auto const counts = count_shared(device, lanes.access(operation, bytes));
        BOOST_CHECK_EQUAL(counts.wavefronts, 0);
        BOOST_CHECK_EQUAL(counts.bank_conflicts, 0);
      }
}

BOOST_AUTO_TEST_CASE(broadcast_is_one_wavefront_of_a_group) {
  auto const lanes = Lanes::of([](std::uint64_t) { return std::uint64_t{4096}; });
  for (auto bytes : {1u, 2u, 4u, 8u}) BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::load, bytes), 1);
  BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::load, 16), 2);
  // Stores do not merge groups, atomics wait for each other.
  BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::store, 4), 1);
  BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::store, 8), 2);
  BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::store, 16), 4);
  BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::atomic, 4), 32);
}

BOOST_AUTO_TEST_CASE(tile_columns_of_pitch_32_and_33) {
  auto const pitch32 = Lanes::of([](std::uint64_t lane) { return lane * 32 * 4; });
  auto const pitch33 = Lanes::of([](std::uint64_t lane) { return lane * 33 * 4; });
  auto const bad = count_shared(h100(), pitch32.access(Operation::load, 4));
  BOOST_CHECK_EQUAL(bad.wavefronts, 32);
  BOOST_CHECK_EQUAL(bad.bank_conflicts, 31);
  BOOST_CHECK_EQUAL(bad.ideal(), 1);
  auto const good = count_shared(h100(), pitch33.access(Operation::load, 4));
  BOOST_CHECK_EQUAL(good.wavefronts, 1);
  BOOST_CHECK_EQUAL(good.bank_conflicts, 0);
}

BOOST_AUTO_TEST_CASE(inactive_lanes_do_not_matter) {
  std::mt19937 engine(7);
  for (int round = 0; round < 2000; ++round) {
    auto const bytes = all_widths[round % all_widths.size()];
    auto const operation = all_operations[round % all_operations.size()];
    auto lanes = random_lanes(engine, bytes, 2048);
    auto const before = count_shared(h100(), lanes.access(operation, bytes));
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      if ((lanes.active >> lane & 1) == 0) lanes.addresses[lane] = engine();
    BOOST_REQUIRE(count_shared(h100(), lanes.access(operation, bytes)) == before);
  }
}

BOOST_AUTO_TEST_CASE(lanes_of_a_group_may_swap_places) {
  std::mt19937 engine(11);
  for (int round = 0; round < 2000; ++round) {
    // Up to 4 bytes the whole warp is one group; stores and atomics of more have halves or quarters, never
    // merged.
    auto const bytes = all_widths[round % all_widths.size()];
    auto const operation = bytes <= 4 ? all_operations[round % 3] : all_operations[1 + round % 2];
    auto lanes = random_lanes(engine, bytes, 4096, true);
    auto const before = count_shared(h100(), lanes.access(operation, bytes, AtomicKind::exchange));
    std::size_t const group = bytes <= 4 ? 32 : 128 / bytes;
    for (std::size_t begin = 0; begin < 32; begin += group)
      std::shuffle(lanes.addresses.begin() + begin, lanes.addresses.begin() + begin + group, engine);
    BOOST_REQUIRE(count_shared(h100(), lanes.access(operation, bytes, AtomicKind::exchange)) == before);
  }
}

BOOST_AUTO_TEST_CASE(a_shift_by_whole_rows_does_not_matter) {
  std::mt19937 engine(13);
  for (int round = 0; round < 1000; ++round) {
    auto const bytes = all_widths[round % all_widths.size()];
    auto const operation = all_operations[round % all_operations.size()];
    auto lanes = random_lanes(engine, bytes, 8192);
    auto const before = count_shared(h100(), lanes.access(operation, bytes));
    for (auto& address : lanes.addresses) address += 128 * 1024;
    BOOST_REQUIRE(count_shared(h100(), lanes.access(operation, bytes)) == before);
  }
}

BOOST_AUTO_TEST_CASE(bounds_hold_for_any_access) {
  std::mt19937 engine(17);
  for (int round = 0; round < 3000; ++round) {
    auto const bytes = all_widths[round % all_widths.size()];
    auto const operation = all_operations[round % all_operations.size()];
    auto const lanes = random_lanes(engine, bytes, std::uint64_t{64} << round % 10);
    auto const active = static_cast<std::uint32_t>(std::popcount(lanes.active));
    auto const counts = count_shared(h100(), lanes.access(operation, bytes, AtomicKind::exchange));
    BOOST_REQUIRE_LE(counts.wavefronts, active);
    BOOST_REQUIRE_LT(counts.bank_conflicts, std::max(counts.wavefronts, 1u));
    // An atomic is never cheaper than a store, a load never dearer.
    BOOST_REQUIRE_GE(
        count_shared(h100(), lanes.access(Operation::atomic, bytes, AtomicKind::exchange)).wavefronts,
        count_shared(h100(), lanes.access(Operation::store, bytes)).wavefronts);
    BOOST_REQUIRE_LE(count_shared(h100(), lanes.access(Operation::load, bytes)).wavefronts,
                     count_shared(h100(), lanes.access(Operation::store, bytes)).wavefronts);
  }
}

BOOST_AUTO_TEST_CASE(an_atomic_takes_the_lanes_of_its_fullest_bank) {
  std::mt19937 engine(19);
  for (int round = 0; round < 1000; ++round) {
    auto const lanes = random_lanes(engine, 4, 1024);
    std::map<std::uint64_t, std::uint32_t> per_bank;
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      if (lanes.active >> lane & 1) ++per_bank[lanes.addresses[lane] / 4 % 32];
    std::uint32_t fullest = 0;
    for (auto const& [bank, count] : per_bank) fullest = std::max(fullest, count);
    BOOST_REQUIRE_EQUAL(wavefronts(h100(), lanes, Operation::atomic, 4), fullest);
  }
}

BOOST_AUTO_TEST_CASE(a_compare_exchange_takes_each_wavefront_twice) {
  std::mt19937 engine(43);
  for (int round = 0; round < 1000; ++round) {
    std::uint32_t const bytes = round % 2 == 0 ? 4 : 8;
    auto const lanes = random_lanes(engine, bytes, 1024);
    auto const once = count_shared(h100(), lanes.access(Operation::atomic, bytes, AtomicKind::exchange));
    auto const twice =
        count_shared(h100(), lanes.access(Operation::atomic, bytes, AtomicKind::compare_exchange));
    BOOST_REQUIRE_EQUAL(twice.wavefronts, 2 * once.wavefronts);
    BOOST_REQUIRE_EQUAL(twice.bank_conflicts, once.bank_conflicts);
  }
}

BOOST_AUTO_TEST_CASE(additions_without_an_instruction_are_loops) {
  auto const count = [](std::uint64_t stride, std::uint32_t bytes, AtomicKind kind) {
    auto const lanes = Lanes::of([=](std::uint64_t lane) { return lane * stride; });
    return count_shared(h100(), lanes.access(Operation::atomic, bytes, kind));
  };
  // No two lanes meet: one round of a load and an attempt, for 8 bytes each by halves.
  BOOST_CHECK_EQUAL(count(4, 4, AtomicKind::floating_add).wavefronts, 1 + 2);
  BOOST_CHECK_EQUAL(count(8, 8, AtomicKind::floating_add).wavefronts, 2 + 4);
  BOOST_CHECK_EQUAL(count(8, 8, AtomicKind::integer_add).wavefronts, 2 + 4);
  // One word: 32 rounds; of 8 bytes, the upper half tries in vain until the lower one is through.
  BOOST_CHECK_EQUAL(count(0, 4, AtomicKind::floating_add).wavefronts, 32 * (1 + 2));
  BOOST_CHECK_EQUAL(count(0, 4, AtomicKind::floating_add).bank_conflicts, 0);
  BOOST_CHECK_EQUAL(count(0, 8, AtomicKind::floating_add).wavefronts, 16 * (1 + 4) + 16 * (1 + 2));
  // One bank: loads of 32, 31, ... words.
  BOOST_CHECK_EQUAL(count(128, 4, AtomicKind::floating_add).wavefronts, 32 * 33 / 2 + 32 * 2);
  BOOST_CHECK_EQUAL(count(128, 4, AtomicKind::floating_add).bank_conflicts, 32 * 31 / 2);
  // Integers of 4 bytes have an instruction; other vendors' means are not modelled.
  BOOST_CHECK_EQUAL(count(4, 4, AtomicKind::integer_add).wavefronts, 1);
  auto const lanes = Lanes::of([](std::uint64_t lane) { return lane * 4; });
  BOOST_CHECK_EQUAL(
      count_shared(mi300x(), lanes.access(Operation::atomic, 4, AtomicKind::floating_add)).wavefronts, 1);
}

BOOST_AUTO_TEST_CASE(loads_merge_by_neighbour_and_by_next_neighbour) {
  auto const by = [](std::uint64_t clear) {
    return Lanes::of([=](std::uint64_t lane) { return (lane & ~clear) % 16 * 8; });
  };
  BOOST_CHECK_EQUAL(wavefronts(h100(), by(1), Operation::load, 8), 1);
  BOOST_CHECK_EQUAL(wavefronts(h100(), by(2), Operation::load, 8), 1);
  BOOST_CHECK_EQUAL(wavefronts(h100(), by(4), Operation::load, 8), 2);
  BOOST_CHECK_EQUAL(wavefronts(h100(), by(1), Operation::store, 8), 2);
  // One lane that disagrees is enough to keep the halves apart.
  auto odd_one = by(1);
  odd_one.addresses[7] += 8;
  BOOST_CHECK_EQUAL(wavefronts(h100(), odd_one, Operation::load, 8), 2);
  odd_one.active &= ~(std::uint64_t{1} << 7);
  BOOST_CHECK_EQUAL(wavefronts(h100(), odd_one, Operation::load, 8), 1);
}

BOOST_AUTO_TEST_CASE(misaligned_accesses_count_every_word_they_touch) {
  auto const lanes = Lanes::of([](std::uint64_t lane) { return lane * 128 + 2; }, 1);
  BOOST_CHECK_EQUAL(wavefronts(h100(), lanes, Operation::load, 16), 1);
  auto const straddle = Lanes::of([](std::uint64_t lane) { return lane * 4 + 2; });
  BOOST_CHECK_EQUAL(wavefronts(h100(), straddle, Operation::load, 4), 2);
}

BOOST_AUTO_TEST_CASE(amd_serves_halves_quarters_and_its_own_groups_of_eight) {
  auto const row = [](std::uint64_t bytes) {
    return Lanes::of([=](std::uint64_t lane) { return lane * bytes; }, ~std::uint64_t{0});
  };
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), row(4), Operation::load, 4), 2);
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), row(8), Operation::load, 8), 4);
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), row(16), Operation::load, 16), 8);
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), row(16), Operation::store, 16), 8);
  BOOST_CHECK_EQUAL(count_shared(mi300x(), row(4).access(Operation::load, 4)).bank_conflicts, 0);
  BOOST_CHECK_EQUAL(count_shared(mi300x(), row(16).access(Operation::load, 16)).bank_conflicts, 0);
  // A broadcast costs one pass a half: AMD's groups do not merge.
  auto const same = Lanes::of([](std::uint64_t) { return std::uint64_t{0}; }, ~std::uint64_t{0});
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), same, Operation::load, 4), 2);
  // Lanes 0-3 and 20-23 are read together: on one row they are free, on two rows of the same banks they are
  // not.
  auto const lanes = [](std::uint64_t other_row) {
    return Lanes::of([=](std::uint64_t lane) { return lane < 4 ? lane * 16 : other_row + (lane - 20) * 16; },
                     0xf0000f);
  };
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), lanes(64), Operation::load, 16), 1);
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), lanes(128), Operation::load, 16), 2);
  BOOST_CHECK_EQUAL(wavefronts(mi300x(), lanes(64), Operation::store, 16), 2);
}

BOOST_AUTO_TEST_CASE(what_was_not_measured_says_so) {
  auto const lanes = Lanes::of([](std::uint64_t lane) { return lane * 4; });
  BOOST_CHECK(count_shared(h100(), lanes.access(Operation::load, 4)).evidence == model::Evidence::measured);
  BOOST_CHECK(count_shared(h100(), lanes.access(Operation::atomic, 4)).evidence == model::Evidence::measured);
  auto const exchange = lanes.access(Operation::atomic, 8, AtomicKind::exchange);
  BOOST_CHECK(count_shared(h100(), exchange).evidence == model::Evidence::assumed);
  BOOST_CHECK(count_shared(*model::find_device("a100"), lanes.access(Operation::atomic, 4)).evidence ==
              model::Evidence::assumed);
  BOOST_CHECK(count_shared(mi300x(), lanes.access(Operation::load, 4)).evidence ==
              model::Evidence::documented);
  BOOST_CHECK(count_shared(mi300x(), lanes.access(Operation::atomic, 4)).evidence ==
              model::Evidence::assumed);
}
