// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By what a lane may tell another one that something is done: fences, atomics but for updates that somebody only adds to, what
/// is volatile. A range in which there is any is judged team by team (sim/host/Launch.cpp).
#pragma once

#include "Llvm.hpp"

namespace teamsan_plugin {

/// Is the instruction one? Calls of functions of the program's are not asked here.
bool hands_over(llvm::Instruction const& i);

}  // namespace teamsan_plugin
