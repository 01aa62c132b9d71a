/// The command line that makes a finding again with as little as possible around it.
#include <teamsan/sim/report/TextLayout.hpp>
#include <teamsan/sim/report/TextReport.hpp>

#include <algorithm>

namespace teamsan {
namespace {

/// The league rank that all lanes of the finding are in, if it is one.
bool one_league(ReportedFinding const& found, std::uint64_t& league) {
  auto const& sides = found.sides;
  if (sides.empty() || !sides.front().side.has_lane) return false;
  league = sides.front().side.league;
  return std::all_of(sides.begin(), sides.end(),
                     [&](ReportedSide const& s) { return s.side.has_lane && s.side.league == league; });
}

}  // namespace

std::string rerun_command(ReportedFinding const& found, ProgramFacts const& program) {
  if (program.arguments.empty()) return {};
  Finding const& finding = found.finding;
  std::vector<std::string> words{"teamsan", "run"};
  words.insert(words.end(), program.flags.begin(), program.flags.end());
  if (!finding.kernel.empty()) {
    words.insert(words.end(), {"--kernel-name", finding.kernel});
    if (found.kernel_launch > 1)
      words.insert(words.end(), {"--launch-skip", std::to_string(found.kernel_launch - 1)});
    if (found.kernel_launch != 0) words.insert(words.end(), {"--launch-count", "1"});
    if (std::uint64_t league = 0; one_league(found, league))
      words.insert(words.end(), {"--team", std::to_string(league)});
  }
  words.push_back("--");
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  return shell_command(words);
}

}  // namespace teamsan
