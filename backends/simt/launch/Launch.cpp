// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "Launch.hpp"
#include "../tools/Tools.hpp"

#include "../../../model/device/Device.hpp"
#include "../../../sim/base/Options.hpp"
#include "../../../sim/host/Limit.hpp"
#include "../../../sim/machine/Lane.hpp"

#include <algorithm>
#include <bit>

namespace teamsan::simt {
namespace {

/// Kokkos announces a kernel without label under its functor's type name, followed by "/tag" if it has a tag;
/// a reduction under the name of the pair it makes of functor and reducer.
bool is_type_name(std::string_view name, std::string_view functor_name) {
  return name.starts_with(functor_name) || name.starts_with("CombinedFunctorReducer<") ||
         name.starts_with("Kokkos::Impl::CombinedFunctorReducer<");
}

/// "Pair/First" for a functor with a work tag. (Clang's names of lambdas have slashes of their own.)
std::string name_by_types(std::string_view label, std::string_view functor_name) {
  std::string name = short_type_name(functor_name);
  bool const plain = label.starts_with(functor_name);
  std::size_t const reduction = plain ? label.npos : label.rfind(">/");
  std::size_t const slash = plain ? functor_name.size() : reduction == label.npos ? label.size() : reduction + 1;
  if (slash < label.size() && label[slash] == '/') name.append("/").append(short_type_name(label.substr(slash + 1)));
  return name;
}

}  // namespace

bool is_nested_launch() {
  if (!in_kernel()) return false;
  ScopeGuard const scope(Scope::kernel, __builtin_return_address(0));
  take_kernel_name();
  // Kokkos has turned it on again behind the copy of the functor; lanes go without.
  Kokkos::Impl::SharedAllocationRecord<void, void>::tracking_disable();
  return true;
}

LaunchConfig describe(Pattern pattern, Policy policy, Simt const& space, std::string_view functor_name) {
  LaunchConfig config;
  config.label = take_kernel_name();
  if (config.label.empty() || is_type_name(config.label, functor_name))
    config.label = name_by_types(config.label, functor_name);
  config.pattern = pattern;
  config.policy = policy;
  config.instance = space.impl_instance_id();
  config.region = region_path();
  return config;
}

std::uint32_t range_block_lanes(unsigned launch_bounds_lanes) {
  constexpr std::uint32_t usual = 256;
  std::uint32_t const bound = launch_bounds_lanes ? launch_bounds_lanes : usual;
  return std::max(1u, std::min({usual, bound, options().model().max_team_lanes}));
}

std::uint32_t reduce_block_lanes(LaunchConfig const& config, std::size_t value_bytes,
                                 std::uint32_t preferred) {
  model::Device const& device = options().model();
  std::size_t const available = device.scratch_default;
  std::size_t const least = value_bytes * (device.warp_width + 2);
  if (least > available) {
    std::string const message = "Kokkos::Impl::ParallelReduce< Simt > requested too much L0 scratch memory";
    report_limit(LimitKind::reduction, config, least, available, message);
    Kokkos::Impl::throw_runtime_exception(message);
  }
  std::uint32_t lanes = std::min(preferred, std::bit_floor(std::max(device.max_team_lanes, 1u)));
  while (lanes > device.warp_width && value_bytes * (lanes + 2) > available) lanes /= 2;
  return lanes;
}

std::uint64_t reduce_blocks(std::uint64_t work, std::uint32_t block_lanes) {
  std::uint64_t const needed = (work + block_lanes - 1) / block_lanes;
  std::uint64_t const resident = static_cast<std::uint64_t>(Simt::concurrency()) / block_lanes;
  return std::max<std::uint64_t>(1, std::min(needed, resident));
}

}  // namespace teamsan::simt
