// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which operations of a launch race in which word: every pair of accesses to a byte is compared by what orders lanes.
#pragma once

#include "Oracle.hpp"
#include "TouchLog.hpp"

namespace property::bytes {

void add_races(TouchLog const& log, Expected& expected);

}  // namespace property::bytes
