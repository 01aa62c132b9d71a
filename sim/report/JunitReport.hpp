// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// JUnit XML, as CTest writes it and CI systems read it: a test case for each kernel that was checked, failed if a
/// finding in it is an error; findings outside any kernel have a case of their own.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string junit_report(Report const& report);

}  // namespace teamsan
