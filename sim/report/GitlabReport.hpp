// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// GitLab's code quality report: an array of issues with fingerprint, severity, path and line.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string gitlab_report(Report const& report);

}  // namespace teamsan
