// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A line a kernel with all that the machine model says of it, for spreadsheets and scripts: docs/report-csv.md names the
/// columns. Those that Kokkos Tools' kernel timers have too bear their names there (kernel-name, kernel-type, call-count);
/// times are modelled, and say so.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

/// RFC 4180 with a line of names first; in the order of the ranking, or as they appeared where there is none.
std::string csv_report(Report const& report);

}  // namespace teamsan
