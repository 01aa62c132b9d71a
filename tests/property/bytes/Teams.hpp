// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Team kernels at random: leagues, and the constructs of their steps.
#pragma once

#include "../Dice.hpp"
#include "Case.hpp"

#include <cstdint>
#include <vector>

namespace property::bytes {

/// Without operations and steps.
Kernel make_team(Dice& dice, int longest_vector);
Step make_step(Kernel const& k, Dice& dice);
/// Items that a team has of the step's construct.
std::uint32_t items_of(Kernel const& k, Step const& s);
/// Most scratch is written before it is used: the kernel's first slots, of which so many are taken then.
int fill_scratch(std::vector<Array> const& arrays, Kernel& k, Dice& dice);

}  // namespace property::bytes
