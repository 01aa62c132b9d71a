// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// limit: a launch, or device or host-pinned allocations together, ask for more than there is.
#pragma once

#include "../base/LaunchConfig.hpp"
#include "../memory/Allocations.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace teamsan {

/// A request above a limit of the modelled device: makes the `limit` finding, with the devices that would accept it.
/// The backend then throws with the same message, as the real backend does.
enum class LimitKind : std::uint8_t {
  scratch_level0,
  scratch_level1,
  team_size,
  vector_length,
  league_size,
  team_reduction,  ///< scratch of level 0, with what holds the values of a team's threads
  reduction        ///< the same of a block of a range, where a warp's values do not fit
};
void report_limit(LimitKind kind, LaunchConfig const& config, std::size_t requested, std::size_t maximum,
                  std::string const& message);

}  // namespace teamsan

namespace teamsan::detect {

/// Makes the finding of an allocation of `bytes` that does not fit beside `taken` into `limit`, and returns the sentence
/// to throw.
std::string report_memory_limit(Space space, std::string_view label, std::size_t bytes, std::size_t taken,
                                std::size_t limit);

}  // namespace teamsan::detect
