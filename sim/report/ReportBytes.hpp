/// A finished report as bytes, from one process of TeamSan to another of the same build, and several reports as one.
#pragma once

#include <teamsan/sim/report/Report.hpp>
#include <teamsan/traces/Bytes.hpp>

#include <span>
#include <vector>

namespace teamsan {

traces::Bytes report_bytes(Report const& report);
/// Throws traces::TraceError for bytes that are no report.
Report report_of(std::span<std::uint8_t const> bytes);

/// Findings with the same id become one: the first is the example, counts, teams and launches add up. So do kernels
/// of the same label, and source lines in them. Program and flags are those of the first report.
Report merge_reports(std::vector<Report> reports);

}  // namespace teamsan
