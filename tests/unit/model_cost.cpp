/// What kernels cost at least, and Kokkos' own accesses: by hand for a few, and against each other.
#define BOOST_TEST_MODULE model_cost
#include <teamsan/model/device/Cost.hpp>
#include <teamsan/model/device/KokkosOwn.hpp>
#include <teamsan/model/device/Occupancy.hpp>

#include <boost/test/unit_test.hpp>

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

// By hand from cuda_inter_warp_reduction: 1 warp stores and loads 1 value; 2 warps store 2 and each loads both; of 8 warps 4
// store, 4 add to these (a load and a store each), and each loads 4.
BOOST_AUTO_TEST_CASE(team_reductions_as_the_cuda_backend_makes_them) {
  auto const check = [](std::uint32_t threads, std::uint32_t length, std::uint64_t loads, std::uint64_t stores) {
    OwnAccesses const own = team_reduce_accesses(h100(), threads, length);
    BOOST_TEST(own.loads == loads, threads << " x " << length);
    BOOST_TEST(own.stores == stores, threads << " x " << length);
  };
  check(32, 1, 1, 1);
  check(64, 1, 4, 2);
  check(256, 1, 4 + 8 * 4, 4 + 4);
  check(8, 32, 4 + 8 * 4, 4 + 4);
  check(1, 32, 1, 1);
}

BOOST_AUTO_TEST_CASE(broadcasts_and_scans_as_the_cuda_backend_makes_them) {
  BOOST_TEST(team_broadcast_accesses(h100(), 128, 1).stores == 1);
  BOOST_TEST(team_broadcast_accesses(h100(), 128, 1).loads == 4);
  // One warp: five joins up the tree, four down it (the first of them finds nobody), a zero, a value and a prefix.
  OwnAccesses const scan = team_scan_accesses(h100(), 32, 1);
  BOOST_TEST(scan.stores == 2 + 5 + 4);
  BOOST_TEST(scan.loads == 1 + 2 * (5 + 4));
  // A thread alone joins nothing.
  BOOST_TEST(team_scan_accesses(h100(), 1, 1).stores == 2);
}

BOOST_AUTO_TEST_CASE(other_vendors_are_not_modelled) {
  BOOST_TEST(team_reduce_accesses(*find_device("mi250x"), 64, 1).loads == 0);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
