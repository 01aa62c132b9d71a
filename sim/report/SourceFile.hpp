/// Quotes source lines. Files are read once and kept; a file that is missing or unreadable gives empty lines.
/// It quotes the file as it is now, which may be newer than the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

/// Line `line` (from 1) of the file at `path`, without its end, tabs as four-column stops; empty when there
/// is none.
std::string source_line(std::string const& path, unsigned line);

/// All lines of the file at `path`, in the same way; none when it cannot be read.
std::vector<std::string> source_lines(std::string const& path);

/// The same as they stand in the file. The reference stays valid for the life of the program.
std::vector<std::string> const& raw_source_lines(std::string const& path);

/// True if an `=` that is no part of another operator stands in that column (from 1, in bytes) of the line.
bool is_plain_assignment(std::string const& path, unsigned line, unsigned column);

/// The line without what an editor changes freely: blanks at the ends, runs of blanks, a trailing `//`
/// comment.
std::string normalised_source(std::string_view line);

}  // namespace teamsan
