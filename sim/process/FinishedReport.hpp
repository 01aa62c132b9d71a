// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From what was collected while the program ran to the report of it.
#pragma once

#include "../report/Report.hpp"

namespace teamsan {

class Collector;
class Suppressions;

/// Merged by source lines, with places, quoted lines and ids; what the machine model counted becomes findings. Without what is
/// known of the program at its end alone: its arguments, its device.
Report finished_report(Collector const& collector);

/// Looked at by itself: suppressed, or not to be judged. An id that hangs on earlier findings of the same lines is not known
/// yet.
bool is_left_out(Finding const& finding, Suppressions& suppressions);

}  // namespace teamsan
