// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The options of a run (base/Options.def) as flags of a subcommand: `teamsan run` has all of them, `teamsan replay` those that
/// a trace leaves open.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::cli {

/// By name as Options.def has it: what was typed, in its order.
using RunValues = std::map<std::string, std::vector<std::string>>;

/// Adds the options whose name `wanted` lets through, each with its syntax and help, in the group that Options.def puts it in.
std::shared_ptr<RunValues> add_run_options(CLI::App& command, std::function<bool(std::string_view)> const& wanted);

/// Groups of Options.def that --help only names, so that it stays on one screen; TEAMSAN_OPTIONS=help=1 explains them.
std::vector<std::string> groups_in_short();

}  // namespace teamsan::cli
