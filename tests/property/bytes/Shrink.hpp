// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Makes a case smaller for as long as it fails.
#pragma once

#include "Case.hpp"

#include <functional>

namespace property::bytes {

/// The smallest that `fails` of those that were tried, no more than `tries`.
Case shrink(Case const& c, std::function<bool(Case const&)> const& fails, int tries);

}  // namespace property::bytes
