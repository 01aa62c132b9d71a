// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By what a lane may tell another one that something is done (Telling.hpp), as GCC has it.
#pragma once

#include "Gcc.hpp"

namespace teamsan_plugin {

/// Is the statement of this function one? Of functions of the program's, those that have the mark `telling_body` are.
bool hands_over(gimple* s);

}  // namespace teamsan_plugin
