// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace teamsan {

/// How long a launch is likely to take: in a short time one worker may be done before others are awake, and in no time it is.
enum class Expected : unsigned char { any_time, short_time, no_time };

}  // namespace teamsan
