// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Text of somebody else's (a label, a path, an argument) as it may stand in a report, a log or a terminal.
#pragma once

#include <string>
#include <string_view>

namespace teamsan::traces {

enum class LineEnds { escaped, kept };

/// Valid UTF-8 in which nothing acts: control characters, what turns the direction of writing, code points that no text
/// has and bytes that are no UTF-8 are escaped, as \n, \x1b, \u202e, and so are the beginnings of what CI services take for
/// commands in a log (a word that begins with :: or ##). A text that holds none of it stays as it is.
std::string printable(std::string_view text, LineEnds line_ends = LineEnds::escaped);

}  // namespace teamsan::traces
