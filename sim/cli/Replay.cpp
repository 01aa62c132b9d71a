// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan replay TRACE...`: runs checks and models over what a program did, without the program.
#include "Commands.hpp"
#include "Help.hpp"
#include "ReplayBeside.hpp"
#include "RunOptions.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../process/Exit.hpp"
#include "../entry/replay/JoinedReplays.hpp"
#include "../entry/replay/Replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace teamsan::cli {
namespace {

/// Options that say what a program does while it runs: a trace has its own.
constexpr std::string_view of_the_run[] = {"num_threads", "lane_order", "team_order", "seed", "deterministic", "slice",
                                           "spin_limit", "stack_size", "memory_limit", "trace", "explore", "outputs",
                                           "sync", "gdb", "stream", "config", "sample", "budget", "launches_of", "by"};

bool can_choose(std::string_view option) {
  return std::find(std::begin(of_the_run), std::end(of_the_run), option) == std::end(of_the_run);
}

void run_replay(std::vector<std::string> const& files, RunValues const& values) {
  if (files.empty()) throw UsageError("replay needs a trace: teamsan replay [options] TRACE");
  std::string chosen;
  for (auto const& [name, texts] : values)
    for (std::string const& text : texts) chosen += fmt::format(":{}={}", name, quoted_option_value(text));
  try {
    trace::set_replay_options(files.front(), chosen);
    if (files.size() > 1) {
      int const status = write_reports(trace::replay_all(files));
      std::_Exit(status == 0 && trace::damaged() ? exit_tool_failure : status);
    }
    trace::replay(files.front());
  } catch (traces::TraceError const& error) {
    throw UsageError(error.what());
  }
  end_program(trace::recorded_crash(), 0);
}

}  // namespace

void add_replay(CLI::App& app) {
  CLI::App* command = app.add_subcommand("replay", "run the checks over a trace, without its program");
  set_help(*command,
           {"Runs the checks over a trace that `teamsan run --trace FILE` wrote, without the program. Without options it "
            "says what the run said. Several traces (the ranks of an MPI program) become one report.",
            "replay [options] TRACE...",
            {},
            groups_in_short()});
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("trace", *files, "traces that --trace wrote");
  add_no_limits(*command);
  auto const values = add_run_options(*command, can_choose);
  auto const beside = std::make_shared<bool>(false);
  command->add_flag("--beside", *beside, "with --device: both devices' traffic in one table");
  command->callback([files, values, beside] {
    if (*beside) std::exit(replay_beside(*files, *values));
    run_replay(*files, *values);
  });
}

}  // namespace teamsan::cli
