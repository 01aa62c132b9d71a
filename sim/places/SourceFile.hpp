// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Quotes source lines. Files are read once and kept; a file that is missing, unreadable, no regular one or larger than any
/// source (16 MiB) gives empty lines.
/// It quotes the file as it is now, which may be newer than the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

/// From now on a file is read only if it lies in one of these directories (none: no file is), since what names the files is
/// somebody else's. A path that lies elsewhere is looked for there by as much of its end as there is.
void read_sources_only_in(std::vector<std::string> const& directories);

/// Are there directories to read sources in, or is none of that said?
bool may_read_sources();

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
