// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan explain-finding ID TRACE`: the life of the word that a finding is about, as a table. The trace is replayed
/// to make the finding again.
#include "Commands.hpp"
#include "Help.hpp"

#include "../base/ExitStatus.hpp"
#include "../process/Exit.hpp"
#include "../entry/replay/Replay.hpp"
#include "../report/FindingId.hpp"
#include "../report/Presentable.hpp"
#include "../report/TextReport.hpp"
#include "../report/WordLives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace teamsan::cli {
namespace {

int explain(Report report, std::string const& id) {
  auto const found = std::find_if(report.findings.begin(), report.findings.end(),
                                  [&](ReportedFinding const& f) { return names_finding(id, f.id); });
  if (found == report.findings.end()) {
    std::string ids;
    for (ReportedFinding const& f : report.findings) ids += (ids.empty() ? "" : ", ") + f.id;
    std::fprintf(stderr, "teamsan: the trace has no finding %s; %s\n", id.c_str(),
                 ids.empty() ? "it has none" : ("it has " + ids).c_str());
    return exit_user_mistake;
  }
  add_lives({&*found, 1}, trace::file());
  report = presentable(std::move(report));
  Finding const& finding = found->finding;
  FindingWords const words = finding_words(*found);
  std::string text = fmt::format("{} [{}] {}\nkernel \"{}\", launch {}\n", id, rule_id(finding.rule), finding.title,
                                 finding.kernel, finding.launch);
  if (!words.data.empty()) text += words.data + "\n";
  std::string const table = word_life_table(found->life);
  text += table.empty() ? "it is not about a word of memory that lanes touched\n"
                        : "\nwhat lanes did to this word in that launch (> the finding's own accesses):\n\n" + table;
  for (std::string const& note : report.program.notes) text += fmt::format("note: {}\n", note);
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  return exit_success;
}

}  // namespace

void add_explain_finding(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain-finding", "who touched the word of a finding, when: ID TRACE");
  set_help(*command, {"The life of the word that a finding is about: every access to it in its launch, in the order of barrier "
                      "interval, league and lane.",
                      "explain-finding [--no-limits] ID TRACE",
                      "ID is a finding's (TS-...), as `teamsan replay TRACE` prints it."});
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("words", *words, "the finding's id (TS-...) and the trace");
  add_no_limits(*command);
  command->callback([words] {
    if (words->size() != 2)
      throw UsageError("explain-finding needs an id and a trace: teamsan explain-finding TS-... TRACE");
    try {
      trace::set_replay_options((*words)[1], {});
      give_report_to([id = (*words)[0]](Report report) { return explain(std::move(report), id); });
      trace::replay((*words)[1]);
    } catch (traces::TraceError const& error) {
      throw UsageError(error.what());
    }
    end_program(trace::recorded_crash(), exit_success);
  });
}

}  // namespace teamsan::cli
