// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a report says where launches were chosen (--sample, --budget, --launches-of, --shard with --by): how much was
/// checked, and which launches of each kernel. And whether all launches of a kernel were, which decides what a baseline can say
/// of it.
#pragma once

#include "Report.hpp"

#include <string_view>

namespace teamsan {

/// Adds the notes. None where nothing was chosen.
void tell_chosen_launches(ProgramFacts& program);

/// Were all launches of the kernel checked, under whatever policies? Empty: of the program.
bool all_launches_checked(ProgramFacts const& program, std::string_view kernel);

}  // namespace teamsan
