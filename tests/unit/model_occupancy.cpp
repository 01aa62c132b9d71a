// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The occupancy model against CUDA's own calculator (traces/hardware/h200_occupancy.csv) and the HIP runtime's function
/// (gfx90a_occupancy.csv), and by hand for AMD.
#include <boost/test/unit_test.hpp>

#include "model_access.hpp"

#include "../../model/device/Occupancy.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

using namespace teamsan::model;

namespace {

Device const& device(char const* name) { return *find_device(name); }

}  // namespace

BOOST_AUTO_TEST_CASE(every_launch_of_an_sm_90_as_cuda_has_it) {
  std::ifstream file(teamsan::test::hardware_file("h200_occupancy.csv"));
  std::string line;
  BOOST_REQUIRE(std::getline(file, line));
  BOOST_REQUIRE_EQUAL(line, "threads,registers,shared_bytes,carveout,blocks");
  int rows = 0, by_limit[4] = {};
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    std::uint32_t threads = 0, registers = 0, blocks = 0;
    std::size_t scratch = 0;
    int carveout = 0;
    BOOST_REQUIRE(fields >> threads >> registers >> scratch >> carveout >> blocks);
    Occupancy const modelled = occupancy(device("h100"), {threads, scratch, registers});
    BOOST_CHECK_MESSAGE(modelled.teams == blocks, line << ": " << modelled.teams);
    ++rows;
    ++by_limit[static_cast<int>(modelled.limit)];
  }
  BOOST_CHECK_EQUAL(rows, 846);
  for (int const count : by_limit) BOOST_CHECK_GT(count, 0);
}

BOOST_AUTO_TEST_CASE(every_launch_of_a_gfx90a_as_hip_has_it) {
  std::ifstream file(teamsan::test::hardware_file("gfx90a_occupancy.csv"));
  std::string line;
  BOOST_REQUIRE(std::getline(file, line));
  BOOST_REQUIRE_EQUAL(line, "threads,vgprs,sgprs,shared_bytes,blocks");
  int rows = 0, differ = 0, by_limit[4] = {};
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    std::uint32_t threads = 0, registers = 0, scalar_registers = 0, blocks = 0;
    std::size_t scratch = 0;
    BOOST_REQUIRE(fields >> threads >> registers >> scalar_registers >> scratch >> blocks);
    Occupancy const modelled = occupancy(device("mi250x"), {threads, scratch, registers});
    ++rows;
    ++by_limit[static_cast<int>(modelled.limit)];
    if (modelled.teams == blocks) continue;
    // More than 96 scalar registers leave 7 wavefronts a SIMD of 8; the model knows vector registers alone.
    BOOST_CHECK_MESSAGE(scalar_registers > 96 && modelled.teams > blocks, line << ": " << modelled.teams);
    ++differ;
  }
  BOOST_CHECK_EQUAL(rows, 403);
  BOOST_CHECK_EQUAL(differ, 7);
  for (OccupancyLimit const limit : {OccupancyLimit::lanes, OccupancyLimit::scratch, OccupancyLimit::registers})
    BOOST_CHECK_GT(by_limit[static_cast<int>(limit)], 0);
}

BOOST_AUTO_TEST_CASE(a_compute_unit_of_an_mi250x) {
  Device const& d = device("mi250x");
  BOOST_CHECK_EQUAL(occupancy(d, {64, 0, 0}).teams, 32);
  BOOST_CHECK_EQUAL(occupancy(d, {65, 0, 0}).teams, 16);       // two wavefronts
  BOOST_CHECK_EQUAL(occupancy(d, {256, 0, 128}).teams, 4);     // 4 wavefronts a SIMD
  BOOST_CHECK_EQUAL(occupancy(d, {256, 0, 129}).teams, 3);     // 136 registers: 3 a SIMD
  BOOST_CHECK_EQUAL(occupancy(d, {1024, 0, 256}).teams, 0);    // 2 a SIMD: 8 of the 16 that a team needs
  Occupancy const scratch = occupancy(d, {256, 24 * 1024, 0});
  BOOST_CHECK_EQUAL(scratch.teams, 2);
  BOOST_CHECK(scratch.limit == OccupancyLimit::scratch);
  BOOST_CHECK_EQUAL(occupancy(d, {256, 64 * 1024 + 1, 0}).teams, 0);
}

BOOST_AUTO_TEST_CASE(an_unknown_device_says_nothing) {
  for (char const* name : {"pvc", "webgpu", "mobile"}) BOOST_CHECK_EQUAL(occupancy(device(name), {64, 0, 0}).most_warps, 0);
}

BOOST_AUTO_TEST_CASE(waves_and_their_tail) {
  Device const& d = device("h100");
  Occupancy const o = occupancy(d, {256, 0, 0});
  BOOST_CHECK_EQUAL(o.teams, 8);
  Waves const full = waves(d, o, 132 * 8 * 3), tail = waves(d, o, 132 * 8 + 132);
  BOOST_CHECK_EQUAL(full.count, 3);
  BOOST_CHECK_EQUAL(full.last_fill, 1);
  BOOST_CHECK_EQUAL(tail.count, 2);
  BOOST_CHECK_CLOSE(tail.last_fill, 0.125, 1e-9);
  BOOST_CHECK_EQUAL(waves(d, o, 0).count, 0);
}
