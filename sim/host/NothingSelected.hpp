// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Options that select nothing: a name that no kernel has, more launches left out than there are, a team that no league has.
/// A run that checked nothing, for a word mistyped, is no run that passed.
#pragma once

#include <string>

namespace teamsan {

struct LaunchConfig;

/// A launch begins; Selection has answered. An empty league counts as none.
void note_selection(LaunchConfig const& config, bool selected);

/// What was asked for and is not there, with the nearest that is, as a sentence; empty: something was checked, or nothing ran.
std::string nothing_selected();

}  // namespace teamsan
