// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the machine model counted in a kernel of this program.
#pragma once

#include "SimtTeam.hpp"

#include "../../sim/findings/Collector.hpp"
#include "../../sim/process/FinishedReport.hpp"

#include <string>

namespace simt_team {

inline teamsan::ReportedTraffic traffic_of(std::string const& kernel) {
  auto const report = teamsan::finished_report(teamsan::Collector::instance());
  for (auto const& k : report.kernels)
    if (k.kernel == kernel) return k;
  BOOST_FAIL("no kernel " << kernel);
  return {};
}

}  // namespace simt_team
