// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan merge`: puts JSON reports of several runs together and writes them in any format. A report that stands for a
/// run without an end, or that cannot be read, is a failure of its own: what the others found is written all the same.
#include "Commands.hpp"
#include "Help.hpp"

#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../findings/TextLayout.hpp"
#include "../places/SourceFile.hpp"
#include "../report/Join.hpp"
#include "../report/JsonReader.hpp"
#include "../report/SourceRoot.hpp"
#include "../report/Suppressions.hpp"
#include "../report/TextReport.hpp"
#include "../report/Writers.hpp"
#include "../../traces/Printable.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace teamsan::cli {
namespace {

struct Request {
  std::vector<std::string> inputs, reports, sources;
  std::string suppressions, baseline, source_root;
  bool update_baseline = false;
  std::size_t print_limit = 100;
  int error_exitcode = exit_findings;
};

std::vector<std::string> files_of(std::vector<std::string> const& inputs) {
  std::vector<std::string> files;
  for (std::string const& input : inputs) {
    std::error_code error;
    if (!std::filesystem::is_directory(input, error)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::string> inside;
    for (auto const& entry : std::filesystem::directory_iterator(input, error))
      if (entry.path().extension() == ".json") inside.push_back(entry.path().string());
    if (inside.empty()) throw UsageError(fmt::format("no *.json in the directory {}", input));
    std::sort(inside.begin(), inside.end());
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

int merge(Request const& request) {
  if (request.inputs.empty()) throw UsageError("merge needs reports: teamsan merge [options] REPORT.json...");
  std::string targets_text;
  for (std::string const& one : request.reports) targets_text += (targets_text.empty() ? "" : "\n") + one;
  std::vector<ReportTarget> const targets = report_targets(targets_text);
  for (std::string const& directory : request.sources)
    if (!std::filesystem::is_directory(directory))
      throw UsageError(fmt::format("--sources takes a directory that sources lie in, and \"{}\" is none", directory));
  read_sources_only_in(request.sources);
  Suppressions suppressions;
  if (!request.suppressions.empty()) suppressions.add_file(request.suppressions);
  if (!request.baseline.empty()) suppressions.add_baseline(request.baseline, request.update_baseline);

  int failed = 0;
  auto const complain = [&failed](std::string const& sentence) {
    std::fprintf(stderr, "teamsan: %s\n", traces::printable(sentence).c_str());
    failed = exit_tool_failure;
  };
  std::vector<Report> reports;
  for (std::string const& file : files_of(request.inputs)) {
    try {
      reports.push_back(read_json_report_file(file));
      // A program that no test started is known by its report.
      ProgramFacts& program = reports.back().program;
      if (program.test.empty() && program.runs.empty()) {
        program.test = std::filesystem::path(file).stem().string();
        if (std::string const end = "." + program.rank; !program.rank.empty() && program.test.ends_with(end))
          program.test.resize(program.test.size() - end.size());
        if (program.test == program.rank && !program.arguments.empty())
          program.test = std::filesystem::path(program.arguments.front()).filename().string();
      }
      if (!reports.back().program.written)
        complain(fmt::format("\"{}\" has no end: its program was killed, or left without writing a report", file));
    } catch (ReportReadError const& error) {
      complain(error.what());
    }
  }
  for (std::string const& shard : missing_shards(reports)) complain(fmt::format("shard {} is missing", shard));

  Report report = join_reports(reports);
  report.program.source_root = source_root(request.source_root);
  report = from_source_root(std::move(report));  // each test ran in a folder of its own
  suppressions.apply(report);
  try {
    suppressions.update_baseline();
  } catch (ReportFileError const& error) {
    complain(error.what());
  }
  {
    TerminalWidth const width(STDOUT_FILENO);
    std::fputs(text_report(report, {.print_limit = request.print_limit}).c_str(), stdout);
  }
  for (ReportTarget const& target : targets) {
    try {
      write_report_file(expanded_file_name(target.file), target.writer->write(report));
    } catch (ReportFileError const& error) {
      complain(error.what());
    }
  }
  if (!report.program.judged && report.count(Severity::error) == 0) failed = exit_tool_failure;
  return failed != 0 ? failed : report.count(Severity::error) != 0 ? request.error_exitcode : exit_success;
}

}  // namespace

void add_merge(CLI::App& app) {
  CLI::App* command = app.add_subcommand("merge", "put the JSON reports of several runs together");
  command->allow_extras();
  set_help(*command, {"Puts the JSON reports of several runs together: the ranks of an MPI program, the tests of a suite, the "
                      "shards of one run (--shard). Says of each finding which tests and ranks made it.",
                      "merge [options] REPORT.json...",
                      "A directory stands for all *.json in it.\n\nExit status: 0 no error found, 66 errors, 3 a report is "
                      "missing its end, a shard is missing, or a file cannot be read or written."});
  auto request = std::make_shared<Request>();
  command->add_option("reports", request->inputs);
  command->add_option("--report", request->reports, "write a report of all (repeatable)")
      ->type_name("FORMAT=FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--sources", request->sources,
                      "where source files may be read (repeatable): without it no file that a report names is opened")
      ->type_name("DIR")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--suppressions", request->suppressions, "findings to leave out")->type_name("FILE");
  command->add_option("--baseline", request->baseline,
                      "leave out what is in this earlier JSON report, or list of ids, and say what of it is fixed")
      ->type_name("FILE");
  command->add_flag("--update-baseline", request->update_baseline, "take what is fixed out of that file");
  command->add_option("--source-root", request->source_root, "what paths are relative to")->type_name("DIR");
  command->add_option("--print-limit", request->print_limit, "distinct findings to print (100)")->type_name("N");
  command->add_option("--error-exitcode", request->error_exitcode, "exit status when an error was found (66)")->type_name("N");
  command->final_callback([request] {
    if (int const status = merge(*request); status != 0) std::exit(status);
  });
}

}  // namespace teamsan::cli
