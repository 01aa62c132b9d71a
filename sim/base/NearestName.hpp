// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The known name that a mistyped one most likely meant, by edit distance.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace teamsan {

/// The nearest of `names` (the first of equally near ones); empty when there are none. Case, dashes and
/// underscores do not count as differences.
std::string_view nearest_name(std::string_view typed, std::span<std::string_view const> names);

/// How a sentence about an unknown name ends: `; the nearest known one is "race"` if one is near; without one, `; known are a,
/// b, c` if these are few; else nothing.
std::string hint_at(std::string_view typed, std::span<std::string_view const> names);

}  // namespace teamsan
