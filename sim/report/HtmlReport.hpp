// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report for a browser: one self-contained file that needs no network, with the findings, each kernel's
/// memory traffic, a table of source lines, pictures of the worst warps, and the sources with a heat gutter.
/// The page itself is sim/report/html; it draws what html_report_data says. The same report gives the same
/// bytes.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

/// The whole file.
std::string html_report(Report const& report);

/// Its data: JSON that may stand between <script> tags as it is (no '<', '>' or '&'). Text that is not UTF-8
/// has replacement characters.
std::string html_report_data(Report const& report);

}  // namespace teamsan
