// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report for programs: docs/report-json.md describes every field. Fields are only ever added within a version.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

inline constexpr int json_report_version = 1;

std::string json_report(Report const& report);

}  // namespace teamsan
