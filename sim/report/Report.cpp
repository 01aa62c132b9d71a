// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Report.hpp"

#include <algorithm>

namespace teamsan {

std::uint64_t Report::count(Severity severity) const noexcept {
  return static_cast<std::uint64_t>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](auto const& found) { return found.finding.severity == severity; }));
}

}  // namespace teamsan
