// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DeviceLimits.hpp"

#include "../../base/Options.hpp"
#include "../../findings/Collector.hpp"
#include "../../host/Limit.hpp"
#include "../../trace/Fields.hpp"

#include "../../../model/device/Device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace teamsan::trace {

namespace {

/// The area for reductions that every team has (Kokkos_Cuda_Parallel_Team.hpp).
std::size_t reduce_area(std::uint32_t team_size) { return 8 * (std::size_t{team_size} + 2); }

std::size_t maximum_of(LimitKind kind, LaunchConfig const& c) {
  model::Device const& device = options().model();
  switch (kind) {
    case LimitKind::scratch_level0: {
      std::size_t const block = device.scratch_opt_in - device.scratch_reserved;
      return block - std::min(block, reduce_area(c.team_size));
    }
    case LimitKind::scratch_level1:
      return device.scratch_level1;
    case LimitKind::team_reduction:
      return model::scratch_level0_max(device);
    case LimitKind::reduction:
      return device.scratch_default;
    case LimitKind::team_size:
      return device.max_team_lanes / std::max<std::uint32_t>(c.vector_length, 1);
    case LimitKind::vector_length:
      return device.max_vector_length;
    case LimitKind::league_size:
      return device.max_league;
  }
  return 0;
}

void check(LimitKind kind, LaunchConfig const& config, std::size_t requested, std::string const& what) {
  std::size_t const maximum = maximum_of(kind, config);
  if (requested <= maximum) return;
  report_limit(kind, config, requested, maximum,
               fmt::format("{} Requested: {}, Maximum: {}", what, requested, maximum));
}

}  // namespace

void check_limits(LaunchConfig const& c) {
  if (!c.lanes_meet()) return;
  std::string const pattern =
      c.pattern == Pattern::parallel_reduce ? "Kokkos::parallel_reduce<Simt>:" : "Kokkos::parallel_for<Simt>:";
  auto const scratch = [&](int level) { return c.team_scratch[level] + c.team_size * c.thread_scratch[level]; };
  check(LimitKind::league_size, c, c.league_size, "Kokkos::TeamPolicy<Simt>: Requested too large league size.");
  check(LimitKind::vector_length, c, c.vector_length, "Kokkos::TeamPolicy<Simt>: Requested too large vector length.");
  check(LimitKind::team_size, c, c.team_size, "Kokkos::TeamPolicy<Simt>: Requested too large team size.");
  check(LimitKind::scratch_level0, c, scratch(0), pattern + " Requested too much scratch memory on level 0.");
  check(LimitKind::scratch_level1, c, scratch(1), pattern + " Requested too much scratch memory on level 1.");
}

void check_limit_again(traces::LimitRecord const& refused) {
  auto const kind = static_cast<LimitKind>(refused.kind);
  LaunchConfig const config = config_of(refused.config);
  std::size_t const maximum = maximum_of(kind, config);
  if (refused.requested <= maximum) {
    Collector::instance().note(fmt::format(
        "{} would take a launch of \"{}\" that the recorded device refused; the trace does not hold what it does",
        options().model().name, config.label));
    return;
  }
  std::string message = refused.message;
  std::string const before = fmt::format("Maximum: {}", refused.maximum);
  if (std::size_t const at = message.find(before); at != message.npos)
    message.replace(at, before.size(), fmt::format("Maximum: {}", maximum));
  report_limit(kind, config, refused.requested, maximum, message);
}

}  // namespace teamsan::trace
