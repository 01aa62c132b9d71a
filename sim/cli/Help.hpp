// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The --help of a subcommand: its own sentences, around the options that the parser has, with the words that they were added
/// with. 80 columns.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace teamsan::cli {

struct HelpText {
  std::string about;       ///< paragraphs, one a line
  std::string usage;       ///< behind "Usage: teamsan "
  std::string after = {};  ///< paragraphs behind the options; a line that begins with a blank stays as it is
  std::vector<std::string> in_short = {};  ///< groups of options that are only named; any: all have headings
};

/// Each option shows its description up to the first ';'; one without a description is not shown.
void set_help(CLI::App& command, HelpText text);

}  // namespace teamsan::cli
