// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The subcommands of `teamsan`: one file each, one line each in main.cpp.
#pragma once

#include "../../model/device/Device.hpp"

#include <CLI/CLI.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::cli {

/// A user's mistake on the command line: what() is one sentence; exit status 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Each adds its subcommand to `app`. What the subcommand does hangs on the app as its callback; it throws
/// UsageError (or OptionError) for a mistake. `after_dashes`: the words from the first "--" on, which no
/// option of ours may take.
void add_run(CLI::App& app, std::vector<std::string> after_dashes);
void add_replay(CLI::App& app);
void add_trace(CLI::App& app);
void add_explain_finding(CLI::App& app);
void add_devices(CLI::App& app);
void add_doctor(CLI::App& app);
void add_explain(CLI::App& app);
void add_merge(CLI::App& app);
void add_suppress(CLI::App& app);
void add_model(CLI::App& app);
void add_compare(CLI::App& app);
void add_verify(CLI::App& app, std::vector<std::string> after_dashes);
void add_complete(CLI::App& app, std::vector<std::string> after_dashes);

/// --no-limits: the traces that are read are the user's own.
void add_no_limits(CLI::App& command);

/// The device of that name; UsageError names the nearest one if there is none.
model::Device const& device_named(std::string const& name);

/// The text broken between words at 80 columns; lines after the first are indented.
std::string hanging(std::string_view text, std::size_t first_column, std::size_t indent);

}  // namespace teamsan::cli
