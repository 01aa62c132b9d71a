// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A line on the terminal while a launch takes long: which kernel, how many of its teams are done, and how long it may still
/// take. It is gone once there is something else to say. Where standard error is no terminal, and --progress was asked for, a
/// line every minute.
#pragma once

#include <string>

namespace teamsan {

struct LaunchProgress;

/// Begins to look, if --progress and standard error let it.
void show_progress() noexcept;

/// The line goes, for good. Async-signal-safe.
void end_progress() noexcept;

/// The line, at most `columns` wide.
std::string progress_text(LaunchProgress const& launch, std::size_t columns);

}  // namespace teamsan
