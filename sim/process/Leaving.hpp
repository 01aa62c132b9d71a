// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The C library's ways out of a process that run no exit handlers: _exit, _Exit, and exec, as the program calls them. What
/// was found is told before.
#pragma once

namespace teamsan {

/// Makes these functions part of the program.
void see_to_leaving() noexcept;

}  // namespace teamsan
