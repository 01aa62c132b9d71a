// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan run --gdb`: the program under gdb, which runs it up to its first finding.
#pragma once

#include <string>
#include <vector>

namespace teamsan::cli {

/// Becomes gdb, with the program at `path`, its words (its own name first) and TEAMSAN_OPTIONS `text`, on one worker.
/// Throws UsageError if there is no gdb.
[[noreturn]] void debug(std::string const& path, std::vector<std::string> const& words, std::string const& text);

}  // namespace teamsan::cli
