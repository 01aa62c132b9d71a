// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/report/Suppressions.hpp>
#include <teamsan/sim/report/Writers.hpp>

namespace teamsan {

void check_report_options(Options const& options) {
  report_targets(options.report);
  suppressions_of(options);
}

}  // namespace teamsan
