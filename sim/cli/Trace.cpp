// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan trace`: what stands in a trace, for people, spreadsheets and ui.perfetto.dev. Runs no checks.
#include "Commands.hpp"
#include "Help.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../../traces/EventCsv.hpp"
#include "../../traces/PerfettoJson.hpp"
#include "../../traces/Printable.hpp"
#include "../../traces/RenamePlaces.hpp"
#include "../../traces/TraceWalk.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

namespace teamsan::cli {
namespace {

using traces::printable;

struct Asked {
  std::string file, to = "summary", output, rename, device = "h100";
  traces::TraceFilter filter;
};

/// One line a launch, and what was found.
class Summary : public traces::TraceVisitor {
 public:
  explicit Summary(std::ostream& output) : m_output(output) {}

  void on_run(traces::RunRecord const& run) override {
    m_output << "program   ";
    for (std::string const& word : run.arguments) m_output << printable(word) << ' ';
    m_output << fmt::format("\nrecorded  by TeamSan {}, options \"{}\"\n", printable(run.teamsan), printable(run.options));
  }
  void on_launch(traces::LaunchRecord const& launch, bool wanted) override {
    m_launch = launch;
    m_wanted = wanted;
    m_teams = m_events = m_accesses = 0;
  }
  void on_team(std::uint64_t) override { ++m_teams; }
  void on_event(std::uint32_t, traces::Event const& event, traces::EventDecoder const&) override {
    using traces::EventKind;
    ++m_events;
    EventKind const kind = event.kind();
    m_accesses += kind == EventKind::read || kind == EventKind::write || kind == EventKind::range_read ||
                  kind == EventKind::range_write || kind == EventKind::note_read || kind == EventKind::note_write ||
                  kind == EventKind::atomic || kind == EventKind::deed;
  }
  void on_launch_end(traces::LaunchEndRecord const& end) override {
    if (!m_wanted) return;
    auto const& c = m_launch.config;
    m_output << fmt::format("launch {}  {}  league {}, team {}, vector {}: {} teams, {} events, {} accesses{}\n",
                            m_launch.number, printable(c.label), c.league_size, c.team_size, c.vector_length, m_teams, m_events,
                            m_accesses, end.crashed ? ", crashed" : "");
  }
  void on_finding(traces::FindingRecord const& f) override {
    m_output << fmt::format("finding   {} [{}] {} in \"{}\"\n", printable(f.severity), printable(f.rule),
                            printable(f.title), printable(f.kernel));
  }

 private:
  std::ostream& m_output;
  traces::LaunchRecord m_launch;
  bool m_wanted = false;
  std::uint64_t m_teams = 0, m_events = 0, m_accesses = 0;
};

int say_damage(std::string const& damage) {
  if (damage.empty()) return exit_success;
  std::fprintf(stderr, "teamsan: %s\n", printable(damage).c_str());
  return exit_tool_failure;
}

/// The status to end with.
int write(Asked const& asked) {
  if (asked.file.empty()) throw UsageError("trace needs a trace: teamsan trace [options] TRACE");
  if (!asked.rename.empty()) {
    std::size_t const equals = asked.rename.find('=');
    if (equals == std::string::npos || asked.output.empty())
      throw UsageError("--rename takes OLD=NEW, and --output names the new trace");
    std::string const before = asked.rename.substr(0, equals), after = asked.rename.substr(equals + 1);
    return say_damage(traces::rename_places(asked.file, before, after, asked.output));
  }
  std::ofstream file;
  if (!asked.output.empty()) {
    file.open(asked.output, std::ios::binary);
    if (!file) throw UsageError(fmt::format("cannot write {}", asked.output));
  }
  int status = exit_success;
  std::ostream& output = asked.output.empty() ? std::cout : file;
  if (asked.to == "perfetto") {
    status = say_damage(write_perfetto(asked.file, asked.filter, device_named(asked.device), output));
  } else if (asked.to == "csv") {
    status = say_damage(write_csv(asked.file, asked.filter, output));
  } else if (asked.to == "summary") {
    Summary summary(output);
    status = say_damage(walk(asked.file, asked.filter, summary));
  } else {
    throw UsageError(fmt::format("trace cannot be written as \"{}\"; perfetto, csv and summary are known", asked.to));
  }
  output.flush();
  if (!output) throw UsageError(fmt::format("cannot write {}", asked.output.empty() ? "the output" : asked.output));
  return status;
}

}  // namespace

void add_trace(CLI::App& app) {
  CLI::App* command = app.add_subcommand("trace", "show a trace: summary, csv, or for ui.perfetto.dev");
  set_help(*command, {"Shows what stands in a trace that `teamsan run --trace FILE` wrote.", "trace [options] TRACE"});
  auto asked = std::make_shared<Asked>();
  command->add_option("trace", asked->file, "what --trace wrote");
  command
      ->add_option("--to", asked->to, "summary (a line a launch), csv (a line an access), perfetto (JSON for ui.perfetto.dev)")
      ->type_name("FORMAT");
  command->add_option("--output,-o", asked->output, "where to; standard output without it")->type_name("FILE");
  command->add_option("--kernel-name", asked->filter.kernel, "only kernels whose label matches (* is any text)")
      ->type_name("PATTERN");
  command->add_option("--launch", asked->filter.launches, "only the launch of that number (repeatable)")
      ->type_name("N")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--team", asked->filter.team, "only the team of that league rank")->type_name("N");
  command->add_option("--teams", asked->filter.teams, "only the first N teams of each launch")->type_name("N");
  command->add_option("--device", asked->device, "perfetto: whose warps and banks")->type_name("NAME");
  add_no_limits(*command);
  command->add_option("--rename", asked->rename, "copy the trace to --output, OLD/... as NEW/...")
      ->type_name("OLD=NEW");
  command->callback([asked] {
    try {
      if (int const status = write(*asked); status != exit_success) std::exit(status);
    } catch (traces::TraceError const& error) {
      throw UsageError(error.what());
    }
  });
}

}  // namespace teamsan::cli
