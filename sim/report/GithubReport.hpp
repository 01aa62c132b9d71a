// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Workflow commands of GitHub Actions: a line of the log that becomes an annotation of the source.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string github_report(Report const& report);

}  // namespace teamsan
