// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Explore.hpp"

#include "Commands.hpp"
#include "OutputDifference.hpp"

#include "../base/ExitStatus.hpp"
#include "../findings/TextLayout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

struct Schedule {
  std::string lanes, teams;
  unsigned seed;

  bool shuffles() const { return lanes == "shuffle" || teams == "shuffle"; }
  bool operator==(Schedule const& o) const {
    return lanes == o.lanes && teams == o.teams && (!shuffles() || seed == o.seed);
  }
  std::string options() const {
    return fmt::format("lane_order={}:team_order={}:seed={}", lanes, teams, seed);
  }
  /// As flags of `teamsan run`.
  std::string name() const {
    std::string text = fmt::format("--lane-order {} --team-order {}", lanes, teams);
    return shuffles() ? fmt::format("{} --seed {}", text, seed) : text;
  }
};

/// The user's own schedule first, then descending, then shuffles.
std::vector<Schedule> schedules(Options const& options) {
  std::vector<Schedule> result{{options.lane_order, options.team_order, options.seed}};
  auto const add = [&](Schedule const& schedule) {
    if (result.size() < options.explore && std::find(result.begin(), result.end(), schedule) == result.end())
      result.push_back(schedule);
  };
  add({"ascending", "ascending", options.seed});
  add({"descending", "descending", options.seed});
  for (unsigned seed = options.seed; result.size() < options.explore; ++seed)
    add({"shuffle", "shuffle", seed});
  return result;
}

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "teamsan-explore-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(fmt::format("cannot make {}: {}", name, std::strerror(errno)));
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

struct Run {
  int status;
  fs::path out, log, outputs;
};

std::string contents(fs::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The program's input, for each run from its start; nothing, unless it is a regular file.
int open_input() {
  struct stat facts {};
  bool const regular = ::fstat(STDIN_FILENO, &facts) == 0 && S_ISREG(facts.st_mode);
  return ::open(regular ? "/proc/self/fd/0" : "/dev/null", O_RDONLY | O_CLOEXEC);
}

class Explorer {
 public:
  Explorer(std::string const& path, std::vector<std::string> const& words, std::string const& text)
      : m_path(path), m_words(words), m_text(text) {}

  /// `first`: the run whose reports and standard error the user sees.
  Run run(Schedule const& schedule, bool first) {
    std::string const name = std::to_string(m_runs++);
    Run result{0, m_folder.path / (name + ".out"), m_folder.path / (name + ".log"),
               m_folder.path / (name + ".values")};
    std::string options =
        m_text + (m_text.empty() ? "" : ":") + schedule.options() +
        ":deterministic=1:explore=0:outputs=" + quoted_option_value(result.outputs.string());
    if (!first) options += ":report=:log_file=";
    std::cout.flush();
    pid_t const child = ::fork();
    if (child < 0) throw std::runtime_error(fmt::format("cannot start {}: {}", m_path, std::strerror(errno)));
    if (child == 0) become(result, options, first);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return result;
  }

 private:
  [[noreturn]] void become(Run const& run, std::string const& options, bool first) {
    ::setenv("TEAMSAN_OPTIONS", options.c_str(), 1);
    int const in = open_input();
    int const out = ::open(run.out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int const log = ::open(run.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    if (!first) ::dup2(log, STDERR_FILENO);
    std::vector<char*> arguments;
    for (std::string const& word : m_words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(m_path.c_str(), arguments.data());
    ::_exit(exit_tool_failure);
  }

  std::string const& m_path;
  std::vector<std::string> const& m_words;
  std::string const& m_text;
  Folder m_folder;
  int m_runs = 0;
};

/// The first line in which two texts differ, counted from 1; 0: none.
struct LineDifference {
  std::size_t line = 0;
  std::string first, second;
};

LineDifference first_line_difference(std::string const& a, std::string const& b) {
  std::istringstream first(a), second(b);
  for (std::size_t line = 1;; ++line) {
    std::string x, y;
    bool const more_x = static_cast<bool>(std::getline(first, x)),
               more_y = static_cast<bool>(std::getline(second, y));
    if (!more_x && !more_y) return {};
    if (more_x != more_y || x != y) return {line, more_x ? x : "(ends)", more_y ? y : "(ends)"};
  }
}

std::string clipped(std::string const& line) { return line.size() <= 60 ? line : line.substr(0, 57) + "..."; }

struct Comparison {
  std::vector<OutputDifference> values;
  std::vector<OutputDifference> internal;  ///< of device memory that the host never asked for: no outputs
  LineDifference output;
  int status = 0, other_status = 0;
  bool any() const { return !values.empty() || output.line != 0 || status != other_status; }
  bool any_internal() const { return !internal.empty(); }
};

Comparison compare(Run const& a, Run const& b) {
  Comparison c;
  for (OutputDifference& d : compare_outputs(a.outputs.string(), b.outputs.string()))
    (d.device_only ? c.internal : c.values).push_back(std::move(d));
  c.output = first_line_difference(contents(a.out), contents(b.out));
  c.status = a.status;
  c.other_status = b.status;
  return c;
}

void leave_out(std::vector<OutputDifference>& found, std::vector<OutputDifference> const& control) {
  std::erase_if(found, [&](OutputDifference const& d) {
    return std::any_of(control.begin(), control.end(), [&](auto const& c) { return c.label == d.label; });
  });
}

/// Takes out what two runs of one schedule differ in.
void leave_out(Comparison& found, Comparison const& control) {
  leave_out(found.values, control.values);
  leave_out(found.internal, control.internal);
  if (control.output.line != 0) found.output = {};
  if (control.status != control.other_status) found.other_status = found.status;
}

std::string two_values(std::string const& a, Schedule const& first, std::string const& b,
                       Schedule const& second) {
  std::size_t const width = std::max(a.size(), b.size());
  return fmt::format("         {:<{}}  under {}\n         {:<{}}  under {}\n", a, width, first.name(), b,
                     width, second.name());
}

std::string text_of(Comparison const& c, Schedule const& first, Schedule const& second) {
  std::string text;
  for (OutputDifference const& d : c.values) {
    text += fmt::format(" View    {}\n", d.place());
    text += two_values(d.first, first, d.second, second);
    if (!d.relative.empty()) text += fmt::format("         relative difference {}\n", d.relative);
  }
  if (c.output.line != 0) {
    text += fmt::format(" Output  line {} of standard output\n", c.output.line);
    text += two_values(clipped(c.output.first), first, clipped(c.output.second), second);
  }
  if (c.status != c.other_status) {
    text += " Exit    the program's exit status\n";
    text += two_values(std::to_string(c.status), first, std::to_string(c.other_status), second);
  }
  return text;
}

}  // namespace

int explore(std::string const& path, std::vector<std::string> const& words, std::string const& text,
            Options const& options) {
  std::vector<Schedule> const all = schedules(options);
  Explorer explorer(path, words, text);
  Run const base = explorer.run(all[0], true);
  std::cout << contents(base.out) << std::flush;

  std::optional<Comparison> control;
  std::vector<std::pair<Schedule, Comparison>> differing;
  bool other_causes = false;
  std::set<std::string> internal;
  for (std::size_t i = 1; i < all.size(); ++i) {
    Run const run = explorer.run(all[i], false);
    Comparison found = compare(base, run);
    if (!found.any() && !found.any_internal()) continue;
    if (!control) control = compare(base, explorer.run(all[0], false));
    other_causes |= control->any();
    leave_out(found, *control);
    for (OutputDifference const& d : found.internal) internal.insert(d.label);
    if (!found.any()) continue;
    if (found.status != found.other_status) std::cerr << contents(run.log);
    differing.emplace_back(all[i], std::move(found));
  }

  std::string report;
  if (!differing.empty()) {
    report += fmt::format(
        "==== teamsan: explore: outputs hang on the order of lanes and teams: {} of {} schedules differ "
        "from the first\n",
        differing.size(), all.size() - 1);
    report += text_of(differing[0].second, all[0], differing[0].first);
    for (std::size_t i = 1; i < differing.size(); ++i)
      report += fmt::format(" Also    under {}\n", differing[i].first.name());
    report +=
        " Why     nothing orders lanes and teams but barriers and the end of a kernel; a result that hangs "
        "on their\n"
        "         order differs between GPUs, and from run to run\n";
  }
  if (other_causes)
    report +=
        "==== teamsan: explore: note: two runs under one schedule differ too; what differs there was left "
        "out\n";
  if (!internal.empty())
    report += fmt::format(
        "==== teamsan: explore: note: {} never left the device and differ{} when freed, which may be meant: "
        "\"{}\"\n",
        counted(internal.size(), "View"), internal.size() == 1 ? "s" : "", fmt::join(internal, "\", \""));
  if (differing.empty() && options.summary)
    report +=
        fmt::format("==== teamsan: explore: {}, no output differs ====\n", counted(all.size(), "schedule"));
  std::cerr << report << std::flush;
  return !differing.empty() && options.error_exitcode != 0 ? options.error_exitcode : base.status;
}

}  // namespace teamsan::cli
