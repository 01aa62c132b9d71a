// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits that layouts are held against, against those of the modelled devices; the padding that a layout asks for.
#include "Teams.hpp"

#include <teamsan/model/device/Device.hpp>
#include <teamsan/model/workgroup/workgroup_layout.hpp>

using namespace workgroup_tests;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

BOOST_AUTO_TEST_CASE(constants_are_the_modelled_devices) {
  auto const opt_in = [](char const* name) {
    auto const* device = teamsan::model::find_device(name);
    BOOST_REQUIRE(device != nullptr);
    return device->scratch_opt_in;
  };
  auto const* h100 = teamsan::model::find_device("h100");
  BOOST_TEST(teamsan::limits::webgpu_minimum == opt_in("webgpu"));
  BOOST_TEST(teamsan::limits::vulkan_minimum == teamsan::model::find_device("mobile")->scratch_default);
  BOOST_TEST(teamsan::limits::cuda_without_opt_in == h100->scratch_default);
  BOOST_TEST(teamsan::limits::h100 == opt_in("h100"));
  BOOST_TEST(teamsan::limits::a100 == opt_in("a100"));
  BOOST_TEST(teamsan::limits::v100 == opt_in("v100"));
  BOOST_TEST(teamsan::limits::amd == opt_in("mi250x"));
  BOOST_TEST(teamsan::limits::amd == opt_in("mi300x"));
}
