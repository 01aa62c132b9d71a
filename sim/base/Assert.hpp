// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What must hold whatever the program does: on in every build, at places that are not passed for each access.
#pragma once

namespace teamsan {

/// Says what did not hold, where, and which kernel, team and lane ran, writes the report and ends the process with status 3.
/// The room `process` does it.
[[noreturn, gnu::cold]] void assertion_failed(char const* condition, char const* file, int line) noexcept;

}  // namespace teamsan

#define TEAMSAN_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::teamsan::assertion_failed(#condition, __FILE__, __LINE__))
