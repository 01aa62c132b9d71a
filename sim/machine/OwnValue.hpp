// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores to what is older on a lane's stack (Hot::outer_frames). By the body of a nested range to a variable of the lane's,
/// such as an index: what the thread's lanes, or the team's threads, do from there on need not be alike. And by lanes of a
/// range to their copy of the functor (FunctorCopy.hpp), which no lane of a GPU may.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>

namespace teamsan {

/// The running lane stores there.
[[gnu::cold]] void note_own_value(std::uintptr_t address, std::uint32_t bytes, Site site);

}  // namespace teamsan
