// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The reader of recorded counters: the two files of the repository, and one sentence for each way to be
/// malformed.
#include <boost/test/unit_test.hpp>

#include "model_access.hpp"

#include "../../traces/HardwareCsv.hpp"

#include <sstream>
#include <string>

using namespace teamsan::traces;

namespace {

std::string header(int lanes = 32, std::string const& counters = ",requests,sectors") {
  std::string text = "op,bytes_per_lane,pattern,active_mask_hex";
  for (int lane = 0; lane < lanes; ++lane) text.append(",offset_lane").append(std::to_string(lane));
  return text + counters;
}

std::string offsets(int lanes = 32) {
  std::string text;
  for (int lane = 0; lane < lanes; ++lane) text.append(",").append(std::to_string(lane * 4));
  return text;
}

HardwareCsv read(std::string const& text) {
  std::istringstream input(text);
  return read_hardware_csv(input, "test.csv");
}

void check_message(std::string const& text, std::string const& expected) {
  try {
    read(text);
    BOOST_ERROR("no complaint, expected: " << expected);
  } catch (MalformedCsv const& error) {
    BOOST_CHECK_EQUAL(error.what(), expected);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_recorded_files) {
  auto const shared = read_hardware_csv(teamsan::test::hardware_file("h100_shared_memory.csv"));
  BOOST_CHECK_EQUAL(shared.rows.size(), 1144);
  BOOST_CHECK_EQUAL(shared.lanes, 32);
  BOOST_CHECK(shared.counters == (std::vector<std::string>{"wavefronts", "bank_conflicts"}));
  auto const global = read_hardware_csv(teamsan::test::hardware_file("h100_global_memory.csv"));
  BOOST_CHECK_EQUAL(global.rows.size(), 936);
  BOOST_CHECK_EQUAL(*global.counter("sectors"), 1);
  BOOST_CHECK(!global.counter("wavefronts"));
  BOOST_CHECK_EQUAL(global.rows.front().line, 2);
}

BOOST_AUTO_TEST_CASE(one_row_field_by_field) {
  auto const csv = read(header() + "\r\n\natom_add_u32,4,mine,8000000f" + offsets() + ",1,5\r\n");
  BOOST_REQUIRE_EQUAL(csv.rows.size(), 1);
  auto const& row = csv.rows.front();
  BOOST_CHECK_EQUAL(row.line, 3);
  BOOST_CHECK(row.kind == AccessKind::atomic);
  BOOST_CHECK_EQUAL(row.op, "atom_add_u32");
  BOOST_CHECK_EQUAL(row.bytes_per_lane, 4);
  BOOST_CHECK_EQUAL(row.pattern, "mine");
  BOOST_CHECK_EQUAL(row.active, 0x8000000f);
  BOOST_CHECK_EQUAL(row.offsets.size(), 32);
  BOOST_CHECK_EQUAL(row.offsets[31], 124);
  BOOST_CHECK_EQUAL(row.counters[*csv.counter("sectors")], 5);
  BOOST_CHECK_EQUAL(csv.header, header());
  BOOST_CHECK_EQUAL(row.text, "atom_add_u32,4,mine,8000000f" + offsets() + ",1,5");
}

BOOST_AUTO_TEST_CASE(sixty_four_lanes_and_no_counters) {
  auto const csv = read(header(64, "") + "\nst,8,wide,ffffffffffffffff" + offsets(64) + "\n");
  BOOST_CHECK_EQUAL(csv.lanes, 64);
  BOOST_CHECK(csv.counters.empty());
  BOOST_CHECK_EQUAL(csv.rows.at(0).active, ~std::uint64_t{0});
  BOOST_CHECK_EQUAL(csv.rows.at(0).offsets.at(63), 252);
}

BOOST_AUTO_TEST_CASE(addresses_count_from_the_base) {
  auto const without = read(header() + "\nld,4,x,ffffffff" + offsets() + ",1,4\n");
  BOOST_CHECK_EQUAL(without.rows.at(0).addresses.at(31), unrecorded_base + 124);
  auto const with =
      read(header(32, ",base,requests,sectors") + "\nld,4,x,ffffffff" + offsets() + ",4096,1,4\n");
  BOOST_CHECK(with.has_base && !without.has_base);
  BOOST_CHECK_EQUAL(with.rows.at(0).addresses.at(31), 4096 + 124);
  BOOST_CHECK_EQUAL(with.rows.at(0).counters.at(*with.counter("sectors")), 4);
  BOOST_CHECK(!with.counter("base"));
  check_message(header(32, ",base") + "\nld,4,x,ffffffff" + offsets() + ",0x10\n",
                "test.csv:2: base is \"0x10\", it must be a decimal count of bytes");
}

BOOST_AUTO_TEST_CASE(an_operation_names_its_kind_of_atomic) {
  using teamsan::model::AtomicKind;
  BOOST_CHECK(atomic_kind("atom_add_u32") == AtomicKind::integer_add);
  BOOST_CHECK(atomic_kind("atom_fetch_add_u64") == AtomicKind::integer_add);
  BOOST_CHECK(atomic_kind("atom_add_f64") == AtomicKind::floating_add);
  BOOST_CHECK(atomic_kind("red_fetch_add_f32") == AtomicKind::floating_add);
  BOOST_CHECK(atomic_kind("atom_exch_u32") == AtomicKind::exchange);
  BOOST_CHECK(atomic_kind("atom_cas_u64") == AtomicKind::compare_exchange);
}

BOOST_AUTO_TEST_CASE(an_inactive_lane_may_have_no_offset) {
  std::string fields = ",0";
  for (int lane = 1; lane < 32; ++lane) fields += ",";
  auto const csv = read(header() + "\nld,4,one,1" + fields + ",1,1\n");
  BOOST_CHECK_EQUAL(csv.rows.at(0).offsets.at(31), 0);
  check_message(header() + "\nld,4,two,3" + fields + ",1,1\n",
                "test.csv:2: offset_lane1 is \"\", it must be a decimal count of bytes");
}

BOOST_AUTO_TEST_CASE(each_malformed_line_gets_one_sentence) {
  check_message("",
                "test.csv:1: the file is empty, it must begin with a header line "
                "op,bytes_per_lane,pattern,active_mask_hex,...");
  check_message("op,bytes,pattern\n",
                "test.csv:1: column 2 of the header is \"bytes\", it must be \"bytes_per_lane\"");
  check_message("op,bytes_per_lane,pattern\n",
                "test.csv:1: column 4 of the header is missing, it must be \"active_mask_hex\"");
  check_message(
      header(31),
      "test.csv:1: the header names 31 lanes in a row, it must name offset_lane0 to offset_lane31 or to "
      "offset_lane63");
  check_message(header() + "\nld,4,x,ffffffff" + offsets(31) + ",1,1\n",
                "test.csv:2: the line has 37 fields, the header names 38");
  check_message(header() + "\nload,4,x,ffffffff" + offsets() + ",1,1\n",
                "test.csv:2: op is \"load\", it must be ld, st, atom_... or red_...");
  check_message(header() + "\nld,3,x,ffffffff" + offsets() + ",1,1\n",
                "test.csv:2: bytes_per_lane is \"3\", it must be 1, 2, 4, 8 or 16");
  check_message(
      header() + "\nld,4,x,1ffffffff" + offsets() + ",1,1\n",
      "test.csv:2: active_mask_hex is \"1ffffffff\", it must be up to 8 hexadecimal digits, without 0x");
  check_message(header() + "\nld,4,x,0xff" + offsets() + ",1,1\n",
                "test.csv:2: active_mask_hex is \"0xff\", it must be up to 8 hexadecimal digits, without 0x");
  check_message(header() + "\nld,4,x,f" + offsets() + ",1,-2\n",
                "test.csv:2: sectors is \"-2\", it must be a decimal count");
}

BOOST_AUTO_TEST_CASE(a_missing_file_is_named) {
  try {
    read_hardware_csv(std::filesystem::path("no/such.csv"));
    BOOST_ERROR("no complaint");
  } catch (MalformedCsv const& error) {
    BOOST_CHECK_EQUAL(error.what(), "no/such.csv: the file cannot be read: No such file or directory");
  }
}
