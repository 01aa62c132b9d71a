// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SARIF 2.1.0, as GitHub code scanning and other viewers read it: one run, a rule for each rule id, a result for each
/// finding. The first side is the location, the others are related locations that the message links to.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string sarif_report(Report const& report);

}  // namespace teamsan
