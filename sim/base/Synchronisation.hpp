// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The table of Synchronisation.def as the simulator asks it: who meets at a construct, and what their
/// meeting orders under the chosen mode (--sync). Every construct of the backend goes through it; nothing
/// else decides about order.
#pragma once

#include "Lane.hpp"

#include <cstdint>
#include <string_view>

namespace teamsan {

/// Whose word counts: see Synchronisation.def.
enum class Sync : std::uint8_t { cuda, hip, portable };

enum class Meets : std::uint8_t { nobody, thread, team };

/// What is before a meeting and what is after it, for others than the lane itself. Each includes those above
/// it.
enum class Order : std::uint8_t { nothing, values, thread, team };

/// One row.
struct Synchronisation {
  std::string_view name;  ///< the enumerator
  Meets meets;
  Order documented, cuda, hip;
  std::string_view construct;  ///< as reports name it
  std::string_view documentation, cuda_text, hip_text;

  Order under(Sync sync) const;
};

Synchronisation const& synchronisation(Meeting meeting);

/// Number of rows; Meeting's enumerators count from 0.
std::size_t synchronisation_count();

/// The mode chosen by the options.
Sync sync_mode();

}  // namespace teamsan
