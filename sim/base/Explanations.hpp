// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What each rule means, at length: the files of sim/detect/explanations, compiled in.
#pragma once

#include "Rule.hpp"

#include <string_view>

namespace teamsan {

/// Markdown of at most 80 columns: what the rule finds, in which direction it errs, a bad kernel and a good
/// one.
std::string_view explanation(Rule rule);

}  // namespace teamsan
