// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of devices: complete, consistent, and found by name.
#include <boost/test/unit_test.hpp>

#include "../../model/device/Device.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

using namespace teamsan::model;

namespace {

constexpr std::array figures{"warp_width",
                             "max_team_lanes",
                             "max_vector_length",
                             "banks",
                             "bank_width",
                             "sector_bytes",
                             "cache_line_bytes",
                             "scratch_default",
                             "scratch_opt_in",
                             "scratch_reserved",
                             "scratch_level1",
                             "scratch_withheld",
                             "compute_units",
                             "registers_per_thread",
                             "memory_bytes",
                             "max_league",
                             "usm",
                             "unit",
                             "clock_hz",
                             "memory_rate",
                             "double_rate",
                             "launch_seconds"};

}  // namespace

BOOST_AUTO_TEST_CASE(the_eight_devices_with_the_h100_first) {
  std::vector<std::string_view> names;
  for (auto const& device : devices()) names.push_back(device.name);
  std::vector<std::string_view> const expected{"h100",   "a100", "v100",   "mi250x",
                                               "mi300x", "pvc",  "webgpu", "mobile"};
  BOOST_CHECK_EQUAL_COLLECTIONS(names.begin(), names.end(), expected.begin(), expected.end());
}

BOOST_AUTO_TEST_CASE(every_figure_has_one_origin) {
  for (auto const& device : devices()) {
    BOOST_CHECK_EQUAL(device.origins.size(), figures.size());
    for (std::string_view figure : figures) {
      auto const count = std::ranges::count(device.origins, figure, &Origin::what);
      BOOST_CHECK_MESSAGE(count == 1, device.name << " has " << count << " origins of " << figure);
    }
    for (auto const& origin : device.origins) BOOST_CHECK(!origin.source.empty());
    BOOST_CHECK(!device.title.empty());
    BOOST_CHECK(!device.source.empty());
  }
}

BOOST_AUTO_TEST_CASE(only_the_h100_was_measured) {
  for (auto const& device : devices()) {
    bool const any =
        std::ranges::any_of(device.origins, [](Origin const& o) { return o.evidence == Evidence::measured; });
    BOOST_CHECK_EQUAL(any, device.name == "h100");
    BOOST_CHECK_EQUAL(device.evidence == Evidence::measured, device.name == "h100");
  }
}

BOOST_AUTO_TEST_CASE(figures_fit_each_other_and_the_models) {
  for (auto const& device : devices()) {
    BOOST_TEST_CONTEXT(device.name) {
      for (std::uint32_t power : {device.warp_width, device.banks, device.bank_width, device.sector_bytes,
                                  device.cache_line_bytes, device.max_vector_length})
        BOOST_CHECK(std::has_single_bit(power));
      BOOST_CHECK_LE(device.banks, 64);
      BOOST_CHECK_LE(device.warp_width, 64);
      BOOST_CHECK_LE(device.max_vector_length, device.warp_width);
      BOOST_CHECK_EQUAL(device.max_team_lanes % device.warp_width, 0);
      BOOST_CHECK_LE(device.sector_bytes, device.cache_line_bytes);
      BOOST_CHECK_LE(device.scratch_default, device.scratch_opt_in);
      BOOST_CHECK_LT(device.scratch_reserved, device.scratch_default);
      BOOST_CHECK_GT(scratch_level0_max(device), 0);
      BOOST_CHECK_LE(scratch_level0_max(device), device.scratch_opt_in);
      BOOST_CHECK(device.usm.device_allocations);
      BOOST_CHECK_GE(device.max_league, 65535);
    }
  }
}

BOOST_AUTO_TEST_CASE(level0_scratch_is_what_kokkos_offers) {
  BOOST_CHECK_EQUAL(scratch_level0_max(*find_device("h100")), 227 * 1024 - 1024 - (1026 * 8 + 8 + 16384));
  BOOST_CHECK_EQUAL(scratch_level0_max(*find_device("v100")), 96 * 1024 - (1026 * 8 + 8 + 16384));
  BOOST_CHECK_EQUAL(scratch_level0_max(*find_device("mi300x")), 64 * 1024 - (1026 * 8 + 8));
  BOOST_CHECK_EQUAL(scratch_level0_max(*find_device("pvc")), 128 * 1024 - 1026 * 8);
  BOOST_CHECK_EQUAL(scratch_level0_max(*find_device("webgpu")), 16 * 1024);
  BOOST_CHECK_EQUAL(find_device("h100")->scratch_level1, std::size_t{80} * 1024 * 1024);
}

BOOST_AUTO_TEST_CASE(names_are_found_in_any_case_and_guessed_when_mistyped) {
  BOOST_REQUIRE(find_device("MI300X") != nullptr);
  BOOST_CHECK_EQUAL(find_device("MI300X")->name, "mi300x");
  BOOST_CHECK(find_device("h10") == nullptr);
  BOOST_CHECK(find_device("") == nullptr);
  BOOST_CHECK_EQUAL(nearest_device_name("h10"), "h100");
  BOOST_CHECK_EQUAL(nearest_device_name("MI300"), "mi300x");
  BOOST_CHECK_EQUAL(nearest_device_name("web-gpu"), "webgpu");
  BOOST_CHECK_EQUAL(nearest_device_name("v1000"), "v100");
}
