// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../base/Assert.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/ReportFile.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Ending.hpp"
#include "../machine/Team.hpp"
#include "../memory/Hot.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace teamsan {

namespace {

/// "kernel "matmul", league 3, thread 5, lane 0"; empty: no lane runs.
std::string who_runs() {
  if (hot.team == nullptr || hot.lane == nullptr) return {};
  Lane const& lane = hot.lane->lane;
  return fmt::format("; kernel \"{}\", league {}, thread {}, lane {}", hot.team->launch().facts.config.label,
                     lane.league_rank, lane.thread, lane.vector_lane);
}

}  // namespace

void assertion_failed(char const* condition, char const* file, int line) noexcept {
  static constinit thread_local bool failed = false;
  if (failed) leave_process(exit_tool_failure);  // while this one is told
  failed = true;
  std::string_view place = file;
  if (std::size_t const room = place.rfind("sim/"); room != std::string_view::npos) place.remove_prefix(room);
  std::string const sentence =
      fmt::format("TeamSan itself is wrong: {} does not hold at {}:{}{}; please report it with this line", condition, place,
                  line, who_runs());
  write_to_stderr(fmt::format("teamsan: {}\n", sentence));
  Collector::instance().note(sentence);
  finish_report(true);
  leave_process(exit_tool_failure);
}

}  // namespace teamsan
