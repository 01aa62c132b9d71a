// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Ranges at random: RangePolicy and MDRangePolicy, for, reduce and scan.
#pragma once

#include "../Dice.hpp"
#include "Case.hpp"

namespace property::bytes {

/// Without operations.
Kernel make_range(Dice& dice);

}  // namespace property::bytes
