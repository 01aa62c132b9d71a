// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An instruction of the program, as marks in the shadow, keys, sides of findings, records and traces name it. Only
/// sim/places knows what one stands for (sim/places/Sites.hpp); in a trace, its `frames` record does. Nobody computes with it.
#pragma once

#include <cstdint>

namespace teamsan {

enum class Site : std::uint32_t { none = 0 };

/// Its number, for hashes, tables and files.
constexpr std::uint32_t number_of(Site site) { return static_cast<std::uint32_t>(site); }

}  // namespace teamsan
