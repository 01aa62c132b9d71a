// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads a JSON report back, whole: what a writer makes of the result is what it would have made of the original, where
/// the sources still lie. docs/report-json.md describes the fields.
#pragma once

#include "Report.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

namespace teamsan {

/// what() is one sentence that names the file and what is wrong with it.
struct ReportReadError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `name`: the file that `text` came from, for errors.
Report read_json_report(std::string_view text, std::string const& name);

/// The report in that file.
Report read_json_report_file(std::string const& file);

}  // namespace teamsan
