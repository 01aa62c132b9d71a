/// From what was collected while the program ran to the report of it.
#pragma once

#include <teamsan/sim/report/Report.hpp>

namespace teamsan {

class Collector;

/// Merged by source lines, with places, quoted lines and ids; what the machine model counted becomes findings. Without what is
/// known of the program at its end alone: its arguments, its device.
Report finished_report(Collector const& collector);

}  // namespace teamsan
