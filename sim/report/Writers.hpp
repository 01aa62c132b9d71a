// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The report formats: one line each in Writers.cpp. A writer takes a finished report and returns text; it
/// opens no file and reads no option.
#pragma once

#include "Report.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

struct Writer {
  std::string_view format;  ///< what stands before the '=' in --report FORMAT=FILE
  std::string_view about;   ///< what it is, for help
  std::string (*write)(Report const& report);
};

/// All formats, in the order help prints them.
std::span<Writer const> writers();

/// The writer of that format, or nullptr.
Writer const* find_writer(std::string_view format);

/// One `--report FORMAT=FILE`.
struct ReportTarget {
  Writer const* writer;
  std::string file;
};

/// The option's value, one FORMAT=FILE a line. Throws OptionError with one sentence for an unknown format or
/// a missing file.
std::vector<ReportTarget> report_targets(std::string_view value);

}  // namespace teamsan
