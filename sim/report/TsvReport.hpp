// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report for scripts: one line a finding, fields separated by tabs:
/// rule, severity, FILE:LINE of the first side, FILE:LINE of the second side, kernel, count, id. A field that
/// is not known is "-". Files are relative to the current directory when below it.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string tsv_report(Report const& report);

}  // namespace teamsan
