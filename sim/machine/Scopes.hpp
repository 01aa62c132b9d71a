// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of the scopes that a lane is inside of (a bit per Scope) say that it is not where all lanes of its thread are: what
/// detect/Nesting.cpp is asked of. Most are a TeamThreadRange alone.
#pragma once

#include "../base/Lane.hpp"

#include <cstdint>

namespace teamsan::scopes {

constexpr std::uint32_t bit(Scope scope) { return 1u << static_cast<unsigned>(scope); }

/// One lane is, and others are not.
inline constexpr std::uint32_t single = bit(Scope::single_per_team) | bit(Scope::single_per_thread);
/// Each lane has iterations of its own.
inline constexpr std::uint32_t of_lanes = bit(Scope::thread_vector_range) | bit(Scope::team_vector_range);
inline constexpr std::uint32_t apart = single | of_lanes;

/// May it be told of that a lane inside `outer` enters that one?
constexpr bool may_not_enter(std::uint32_t outer, Scope inner) {
  bool const of_team = inner == Scope::team_thread_range || inner == Scope::team_vector_range;
  return inner == Scope::kernel || (outer & apart) != 0 || (outer != 0 && of_team);
}

}  // namespace teamsan::scopes
