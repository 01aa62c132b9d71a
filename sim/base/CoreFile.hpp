// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A core file of this process as it is, without ending it: a copy of it (clone) stands still and writes itself, so that
/// neither the kernel's core_pattern nor a limit on core files nor a debugger has a say. Of the threads it has the calling one,
/// under its number; memory that madvise leaves out of core files is left out, pages that were never touched take no room.
/// What a debugger needs of it: docs/debugging.md.
#pragma once

#include <string>

namespace teamsan {

/// Replaces what is there. Empty: done; otherwise what went wrong, in words.
std::string write_core_file(std::string const& path);

}  // namespace teamsan
