// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program that `teamsan run` is to start: found as a shell finds it, and looked at before it is started,
/// so that a program that cannot be checked is a sentence and not a run without findings.
#pragma once

#include <string>

namespace teamsan::cli {

/// The path of the program: as given when it holds a '/', else from PATH. Throws UsageError when there is
/// none, or it is a folder or not executable.
std::string find_program(std::string const& name);

/// Throws UsageError unless the file is an ELF program that TeamSan's runtime is linked into: by its marker,
/// the symbol
/// __teamsan_runtime (which strip removes) or the section .teamsan.
void require_instrumented(std::string const& path);

}  // namespace teamsan::cli
