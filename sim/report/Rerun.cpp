// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The command line that makes a finding again with as little as possible around it: of the finding's kernel, the launch,
/// and the team if all its lanes are in one. What a finding rests on must be looked at again, so some are made again with
/// more: with all teams of the launch one between teams, a race in memory that all teams see, and one of a launch in which
/// what a team does may hang on teams before it (Finding::on_team_order); with all launches of the kernel one of the machine
/// model (a share of what its kernel costs); and three with the whole program, their rule alone being checked: an uninitialised
/// read of device memory (any kernel before may have written there), two kernels that no fence orders, and a virtual
/// function of an object that the host made (any kernel before may have made another one there).
/// tests/rerun holds every rule to it.
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../places/Symbolizer.hpp"
#include "TextReport.hpp"

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

/// What must be looked at for the finding to be made.
enum class Scope : std::uint8_t { team, launch, kernel, program };

Scope scope_of(ReportedFinding const& found, std::uint64_t& league) {
  // Which objects the host has made is forgotten where a launch is left out, whose lanes might have made others there.
  auto const is_by_table = [](Because const& b) { return b.kind == Reason::table_of_host; };
  if (std::ranges::any_of(found.finding.why, is_by_table)) return Scope::program;
  switch (rule_info(found.finding.rule).rerun) {
    case RerunScope::program: return Scope::program;
    case RerunScope::launch: return Scope::launch;
    case RerunScope::kernel: return Scope::kernel;
    case RerunScope::program_if_two:
      // The earlier kernel is named by the role of its side.
      for (ReportedSide const& s : found.sides)
        if (!s.side.role.empty()) return Scope::program;
      break;
    case RerunScope::team: break;
  }
  return !found.finding.on_team_order && one_league(found, league) ? Scope::team : Scope::launch;
}

/// --kernel-name takes a pattern: this one matches the label alone.
std::string label_pattern(std::string const& label) {
  std::string pattern;
  for (char const c : label) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

/// Puts the rule alone in place of what --check said. Not where by its own name it looks at more than by default
/// (host/DualViews.hpp), and would find something else.
void check_only(std::vector<std::string>& flags, Rule rule) {
  auto const check = std::find(flags.begin(), flags.end(), "--check");
  if (rule == Rule::stale_copy && check == flags.end()) return;
  if (check != flags.end()) flags.erase(check, check + 2);
  flags.insert(flags.begin(), {"--check", rule_id(rule)});
}

}  // namespace

std::string rerun_command(ReportedFinding const& found, ProgramFacts const& of) {
  // Of a joined report: the run that made the example, the first.
  TestRun const program = found.runs.empty() || found.runs.front() >= of.runs.size()
                              ? TestRun{of.test, of.rank, of.arguments, of.flags, of.launcher, of.directory}
                              : of.runs[found.runs.front()];
  if (program.arguments.empty()) return {};
  Finding const& finding = found.finding;
  std::uint64_t league = 0;
  Scope const scope = scope_of(found, league);
  std::vector<std::string> flags = program.flags;
  if (scope == Scope::program) check_only(flags, finding.rule);
  std::vector<std::string> words{program.launcher.empty() ? "teamsan" : program.launcher, "run"};
  words.insert(words.end(), flags.begin(), flags.end());
  if (!finding.kernel.empty() && scope != Scope::program) {
    words.insert(words.end(), {"--kernel-name", label_pattern(finding.kernel)});
    if (scope != Scope::kernel && found.kernel_launch > 1)
      words.insert(words.end(), {"--launch-skip", std::to_string(found.kernel_launch - 1)});
    if (scope != Scope::kernel && found.kernel_launch != 0) words.insert(words.end(), {"--launch-count", "1"});
    if (scope == Scope::team) words.insert(words.end(), {"--team", std::to_string(league)});
  }
  words.push_back("--");
  words.insert(words.end(), program.arguments.begin(), program.arguments.end());
  // Its words hold paths relative to where it was started, and whoever reads this may be elsewhere.
  bool const elsewhere = !of.runs.empty() && !program.directory.empty() && program.directory != start_directory();
  return shell_command(words, elsewhere ? program.directory : "");
}

}  // namespace teamsan
