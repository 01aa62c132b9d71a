// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan run --explore K`: the same program under K schedules, one after the other, and what came out
/// differently. A schedule is an order of lanes and one of teams, on one worker, so that nothing else
/// differs. Compared are what kernels left for the host (sim/host/Outputs.hpp), standard output, and the
/// exit status. What differs between two runs of the first schedule too (a time, a random number) hangs on
/// something else, and is left out.
///
/// Cannot see files that the program writes. Programs get no standard input but a regular file.
#pragma once

#include "../base/Options.hpp"

#include <string>
#include <vector>

namespace teamsan::cli {

/// Runs `path` with `words` as its arguments. `text` is TEAMSAN_OPTIONS as the user has set it, `options`
/// what it says. Returns the exit status: that of the first schedule, or the status for errors if outputs
/// differ.
int explore(std::string const& path, std::vector<std::string> const& words, std::string const& text,
            Options const& options);

}  // namespace teamsan::cli
