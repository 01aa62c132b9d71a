// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report for editors, in the compilers' form: "FILE:LINE:COL: error: what it is in which kernel [rule] ID", below it a
/// note for each other place of the finding and for the cure. Files are relative to the current directory when below it, or
/// whole: what an editor can open. docs/editors.md says how each takes it.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string line_report(Report const& report);

}  // namespace teamsan
