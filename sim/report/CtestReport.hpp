// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report as `ctest -T memcheck` reads it with MEMORYCHECK_TYPE=CudaSanitizer: lines that begin with `=========` and
/// say in compute-sanitizer's words what was found; CTest counts them by category (cmCTestMemCheckHandler,
/// ProcessMemCheckCudaOutput of CMake 3.25). What is indented further is for people.
#pragma once

#include "Report.hpp"

#include <string>

namespace teamsan {

std::string ctest_report(Report const& report);

}  // namespace teamsan
