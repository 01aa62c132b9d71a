// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What kernels cost at least, and Kokkos' own accesses: by hand for a few, and against each other.
#include "../../model/device/Cost.hpp"
#include "../../model/device/KokkosOwn.hpp"
#include "../../model/device/Occupancy.hpp"

#include <boost/test/unit_test.hpp>

#include "model_access.hpp"

#include <cmath>
#include <fstream>
#include <regex>
#include <string>

using namespace teamsan::model;

namespace {
Device const& h100() { return *find_device("h100"); }
}  // namespace

BOOST_AUTO_TEST_CASE(the_largest_of_three_times_is_the_cost) {
  Device const& d = h100();
  ModelledCost const memory = modelled_cost(d, {.launches = 1, .teams = 1000, .wavefronts = 1000, .sectors = 1u << 30});
  BOOST_CHECK(memory.bound() == CostBound::memory);
  BOOST_CHECK_CLOSE(memory.seconds(), 32.0 * (1u << 30) / d.memory_rate, 1e-9);
  ModelledCost const scratch = modelled_cost(d, {.launches = 1, .teams = 1, .wavefronts = 1'000'000, .sectors = 10});
  BOOST_CHECK(scratch.bound() == CostBound::scratch);
  BOOST_CHECK_CLOSE(scratch.seconds(), 1e6 / d.clock_hz, 1e-9);  // one team works on one multiprocessor alone
  ModelledCost const spread = modelled_cost(d, {.launches = 1, .teams = 100'000, .wavefronts = 1'000'000, .sectors = 10});
  BOOST_CHECK_CLOSE(spread.scratch * d.compute_units, scratch.scratch, 1e-9);
  ModelledCost const launches = modelled_cost(d, {.launches = 1000, .teams = 1000, .wavefronts = 10, .sectors = 10});
  BOOST_CHECK(launches.bound() == CostBound::launches);
  BOOST_CHECK_CLOSE(launches.seconds(), 1000 * d.launch_seconds, 1e-9);
}

BOOST_AUTO_TEST_CASE(devices_of_unknown_rates_have_no_cost) {
  BOOST_TEST(modelled_cost(*find_device("webgpu"), {.launches = 1, .teams = 1, .wavefronts = 1, .sectors = 1}).seconds() ==
             0.0);
}

BOOST_AUTO_TEST_CASE(the_tail_is_what_stays_empty_of_all_waves) {
  Device const& d = h100();
  Occupancy const full = occupancy(d, {.lanes = 1024});  // two teams a multiprocessor
  BOOST_REQUIRE(full.teams == 2);
  BOOST_TEST(waves(d, full, 264).empty() == 0.0);
  Waves const one_more = waves(d, full, 265);
  BOOST_TEST(one_more.count == 2);
  BOOST_CHECK_CLOSE(one_more.empty(), 263.0 / 528, 1e-9);
  BOOST_CHECK_CLOSE(waves(d, full, 66).empty(), 0.75, 1e-9);
  BOOST_TEST(Waves().empty() == 0.0);
}

BOOST_AUTO_TEST_CASE(scratch_for_more_teams_is_what_the_calculator_says) {
  Device const& d = h100();
  for (std::uint32_t teams = 1; teams <= 32; ++teams) {
    std::size_t const most = scratch_for(d, teams);
    BOOST_TEST(occupancy(d, {.lanes = 32, .scratch = most}).teams >= teams);
    if (most < d.scratch_opt_in) BOOST_TEST(occupancy(d, {.lanes = 32, .scratch = most + 1}).teams < teams);
  }
}

// A sum of doubles over a team: 1 warp stores and loads 1 value; 2 warps store 2 and each loads both; of 8 warps all come by
// the first store and two rounds of joins, and each makes 3 loads of the 4 results. A maximum's joins are made by the 4 warps
// alone whose turn it is; 4-byte results are read by pairs.
BOOST_AUTO_TEST_CASE(team_reductions_as_the_cuda_backend_makes_them) {
  auto const check = [](std::uint32_t threads, std::uint32_t length, ReducedValue value, std::uint64_t loads,
                        std::uint64_t stores) {
    OwnAccesses const own = team_reduce_accesses(h100(), threads, length, value);
    BOOST_TEST(own.loads == loads, threads << " x " << length);
    BOOST_TEST(own.stores == stores, threads << " x " << length);
  };
  check(32, 1, {}, 1, 1);
  check(64, 1, {}, 4, 2);
  check(256, 1, {}, 8 * (2 + 3), 8 * 3);
  check(8, 32, {}, 8 * (2 + 3), 8 * 3);
  check(1, 32, {}, 1, 1);
  check(256, 1, {.branching = true}, 8 * 3 + 4, 8 + 4);
  check(64, 1, {.branching = true}, 4, 2);
  check(64, 1, {.narrow = true}, 2, 2);
  check(256, 1, {.narrow = true}, 8 * (2 + 2), 8 * 3);
  check(256, 1, {.narrow = true, .branching = true}, 8 * 2 + 4, 8 + 4);
}

namespace {

/// What the kernel of bench/hardware/kokkos_own.cpp with that name does once a team: "team_scan", "team_reduce Max".
OwnAccesses accesses_of(std::string const& construct, std::uint32_t threads, std::uint32_t length) {
  if (construct == "team_scan") return team_scan_accesses(h100(), threads, length);
  if (construct == "team_broadcast") return team_broadcast_accesses(h100(), threads, length);
  OwnAccesses const sum = team_reduce_accesses(h100(), threads, length);
  OwnAccesses const maximum = team_reduce_accesses(h100(), threads, length, {.branching = true});
  if (construct == "two team_reduces") return {.loads = sum.loads + maximum.loads, .stores = sum.stores + maximum.stores};
  if (construct == "team_reduce Max") return maximum;
  if (construct == "team_reduce int") return team_reduce_accesses(h100(), threads, length, {.narrow = true});
  if (construct == "scanned range") {
    OwnAccesses const scan = team_scan_accesses(h100(), threads, length);
    OwnAccesses const broadcast = team_broadcast_accesses(h100(), threads, length);
    return {.loads = scan.loads + broadcast.loads, .stores = scan.stores + broadcast.stores};
  }
  return sum;
}

}  // namespace

/// "team_scan 64x1" and the like, of bench/hardware/kokkos_own.cpp: 64 teams.
BOOST_AUTO_TEST_CASE(teams_within_a_tenth_of_an_sm_90s_counters) {
  std::ifstream file(teamsan::test::hardware_file("h200_kernels.csv"));
  std::string line;
  BOOST_REQUIRE(std::getline(file, line));
  BOOST_REQUIRE_EQUAL(line, "program,kernel,launches,counter,gpu,simulator,difference_percent");
  constexpr double league = 64;
  int rows = 0;
  while (std::getline(file, line)) {
    std::smatch parts;
    if (!std::regex_match(line, parts, std::regex("kokkos_own,(.+) (\\d+)x(\\d+),1,shared_(loads|stores),(\\d+),.*"))) continue;
    OwnAccesses const own = accesses_of(parts[1], static_cast<std::uint32_t>(std::stoul(parts[2])),
                                        static_cast<std::uint32_t>(std::stoul(parts[3])));
    double const modelled = league * static_cast<double>(parts[4] == "loads" ? own.loads : own.stores);
    BOOST_CHECK_MESSAGE(std::abs(modelled - std::stod(parts[5])) <= 0.1 * std::stod(parts[5]), line << ": " << modelled);
    ++rows;
  }
  BOOST_TEST(rows == (19 * 6 + 10 + 4 * 3) * 2);  // shapes, constructs, loads and stores
}

BOOST_AUTO_TEST_CASE(ranges_within_a_tenth_of_an_sm_90s_counters) {
  auto const near = [](std::uint64_t modelled, double counted) {
    BOOST_CHECK_LE(std::abs(static_cast<double>(modelled) - counted), 0.1 * counted);
  };
  // dot and scan of bench/hardware/costs.cpp, over 4,000,003 doubles.
  near(range_reduce_accesses(h100(), 1056, 125'660).loads, 102'530);
  near(range_reduce_accesses(h100(), 1056, 125'660).stores, 198'586);
  near(range_scan_accesses(h100(), 16'327, 2 * 16'327, true).loads, 7'331'005);
  near(range_scan_accesses(h100(), 16'327, 2 * 16'327, true).stores, 2'906'581);
}

BOOST_AUTO_TEST_CASE(other_backends) {
  // HIP's scan goes up only: six joins of 64 values, and the total of those before.
  BOOST_TEST(team_scan_accesses(*find_device("mi250x"), 64, 1).stores == 2 + 7);
  BOOST_TEST(team_reduce_accesses(*find_device("mi250x"), 256, 1).loads == 4 * 4);
  BOOST_TEST(range_reduce_accesses(*find_device("mi250x"), 100, 0).loads == 0);
  BOOST_TEST(team_reduce_accesses(*find_device("pvc"), 64, 1).loads == 0);
}
