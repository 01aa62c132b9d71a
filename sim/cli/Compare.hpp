// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `teamsan compare` and `teamsan verify` have in common: the options that say what counts as the same,
/// and the comparison itself.
#pragma once

#include "../../traces/CheckpointDifference.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

namespace teamsan::cli {

struct CompareOptions {
  std::string ulps = "0", rtol = "0", atol = "0";
  std::vector<std::string> reports;  ///< FORMAT=FILE
};

/// Adds --ulps, --rtol, --atol and --report to `command`.
std::shared_ptr<CompareOptions> add_compare_options(CLI::App& command);

/// A paragraph for a --help, with an empty line behind it.
char const* what_agrees();

/// Throws UsageError for a number that is none, or is negative.
traces::Tolerance tolerance_of(CompareOptions const& options);

/// UsageError unless all of --report is understood.
void check_reports(CompareOptions const& options);

/// Compares, prints, writes reports. Returns the exit status: exit_success, exit_findings, or
/// exit_tool_failure after a sentence on standard error.
int compare(std::string const& first, std::string const& second, CompareOptions const& options);

}  // namespace teamsan::cli
