// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The enumerators of Reasons.def and Cures.def, for those who tell of causes and cures.
#pragma once

#include "Words.hpp"

namespace teamsan {

enum class Reason : std::uint8_t {
#define TEAMSAN_REASON(name, text) name,
#include "Reasons.def"
#undef TEAMSAN_REASON
};

enum class Cure : std::uint8_t {
#define TEAMSAN_CURE(name, way, text) name,
#include "Cures.def"
#undef TEAMSAN_CURE
};

}  // namespace teamsan
