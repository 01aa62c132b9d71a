// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Paths as a service for continuous integration looks files up: relative to the top of the source tree, wherever the program
/// was started.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

/// The top of the source tree, with a slash at its end: what was chosen (--source-root), or else what GitLab (CI_PROJECT_DIR)
/// or GitHub (GITHUB_WORKSPACE) say, or else the top of the git tree that the program was started in. Empty: unknown.
std::string source_root(std::string const& chosen);

/// The same report; files below its program's source root are named relative to it.
Report from_source_root(Report report);

}  // namespace teamsan
