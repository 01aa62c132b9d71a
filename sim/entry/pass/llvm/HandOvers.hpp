// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By what a lane may tell another one that something is done (Telling.hpp), as LLVM has it.
#pragma once

#include "Llvm.hpp"

namespace teamsan_plugin {

/// Is the instruction one? Calls of functions of the program's are not asked here.
bool hands_over(llvm::Instruction const& i);
/// Is what it calls to be asked? Not in an update of the host's, in line or not.
bool may_hand_over_inside(llvm::CallBase const& call);

}  // namespace teamsan_plugin
