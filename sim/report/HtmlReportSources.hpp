// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The source files that an HTML report embeds: those with findings or counted accesses, whole where they are
/// of a usual size, else the surroundings of the lines that matter. A file that cannot be read is shown as
/// the few lines that the report itself quotes.
#pragma once

#include "Report.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace teamsan {

/// What is known of one line.
struct SourceMark {
  std::uint64_t excess_wavefronts = 0, excess_sectors = 0;
  std::vector<std::size_t> findings;  ///< indices in Report::findings, ascending, each once
  std::string quoted;                 ///< the line as the report has it
};

struct SourceRun {
  unsigned first;                  ///< line number of the first one, from 1
  std::vector<std::string> lines;  ///< consecutive
};

struct SourceText {
  std::string file;  ///< as the report names it
  std::map<unsigned, SourceMark> marks;
  std::vector<SourceRun> runs;
  std::string note;  ///< one sentence when not all of the file is here; empty otherwise
};

/// How much is embedded at most. The defaults keep a report below what a browser opens at once.
struct SourceLimits {
  std::size_t lines_of_file = 5000;            ///< a longer file is cut to the surroundings of its marks
  std::size_t bytes_of_all = 4 * 1024 * 1024;  ///< once reached, further files are cut too
  unsigned surroundings = 12;                  ///< lines kept before and after a mark in a cut file
};

/// Files in the order of their names.
std::vector<SourceText> embedded_sources(Report const& report, SourceLimits const& limits = {});

}  // namespace teamsan
