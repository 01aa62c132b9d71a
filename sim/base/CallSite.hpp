// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where the function that asks was called from: an entry point of the runtime names the user's instruction by it. A macro,
/// since only that function itself can ask.
#pragma once

#include <cstdint>

#define TEAMSAN_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
