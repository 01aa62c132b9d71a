// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// `teamsan suppress ID... --reason TEXT`: adds findings to a file for --suppressions, each with the reason why it is left out:
/// a reader who comes later has nothing else to go by.
#include "Commands.hpp"
#include "Help.hpp"

#include "../base/NearestName.hpp"
#include "../base/ReportFile.hpp"
#include "../report/FindingId.hpp"
#include "../report/JsonReader.hpp"
#include "../report/Suppressions.hpp"
#include "../../traces/InputFile.hpp"
#include "../../traces/Printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>

namespace teamsan::cli {
namespace {

struct SuppressRequest {
  std::vector<std::string> ids;
  std::string reason, to = "teamsan.supp", report;
};

std::string what_it_is(Report const& report, std::string const& id, std::string const& file) {
  for (ReportedFinding const& found : report.findings)
    if (names_finding(id, found.id)) return finding_in_short(found) + ": ";
  std::vector<std::string_view> ids;
  for (ReportedFinding const& found : report.findings) ids.push_back(found.id);
  if (ids.empty()) throw UsageError(fmt::format("{} has no findings", file));
  throw UsageError(fmt::format("{} has no finding {}; the nearest is {}", file, id, nearest_name(id, ids)));
}

bool names(std::string const& lines, std::string const& id) {
  std::istringstream stream(lines);
  for (std::string line, word; std::getline(stream, line);)
    if (std::istringstream(line) >> word && word == "id:" + id) return true;
  return false;
}

void suppress(SuppressRequest const& request) {
  if (request.ids.empty()) throw UsageError("suppress needs an id: teamsan suppress TS-... --reason TEXT");
  for (std::string const& id : request.ids)
    if (!is_finding_id(id))
      throw UsageError(fmt::format("\"{}\" is no id of a finding, such as TS-e9b6c2ae", traces::printable(id)));
  std::string const reason = traces::printable(request.reason);
  if (reason.find_first_not_of(' ') == reason.npos)
    throw UsageError("suppress needs a reason: teamsan suppress TS-... --reason \"every lane writes zero\"");
  std::string lines;
  std::error_code error;
  try {
    if (std::filesystem::exists(request.to, error)) lines = traces::read_text_file(request.to);
    Suppressions().add_lines(lines, request.to);  // no line is added to what is no such file
    Report const report = request.report.empty() ? Report() : read_json_report_file(request.report);
    if (!lines.empty() && !lines.ends_with('\n')) lines += '\n';
    for (std::string const& id : request.ids) {
      if (names(lines, id)) throw UsageError(fmt::format("{} has {} already", request.to, id));
      std::string const what = request.report.empty() ? "" : what_it_is(report, id, request.report);
      std::string const line = fmt::format("id:{}  # {}{}", id, traces::printable(what), reason);
      lines += line + '\n';
      std::printf("%s: %s\n", traces::printable(request.to).c_str(), line.c_str());
    }
  } catch (traces::InputError const& wrong) {
    throw UsageError(fmt::format("cannot read \"{}\": {}", request.to, wrong.what()));
  } catch (ReportReadError const& wrong) {
    throw UsageError(wrong.what());
  }
  try {
    write_report_file(request.to, lines);
  } catch (ReportFileError const& wrong) {
    throw UsageError(wrong.what());
  }
}

}  // namespace

void add_suppress(CLI::App& app) {
  CLI::App* command = app.add_subcommand("suppress", "leave findings out from now on: ID --reason TEXT");
  set_help(*command,
           {"Adds findings to a file for --suppressions, each with the reason why it is left out.",
            "suppress ID... --reason TEXT [--to FILE] [--report REPORT.json]",
            "ID is a finding's, as a report prints it: TS-e9b6c2ae. teamsan run --suppressions FILE leaves them out then."});
  auto request = std::make_shared<SuppressRequest>();
  command->add_option("ids", request->ids, "findings (TS-...)");
  auto const add = [&](char const* name, std::string& value, char const* type, char const* about) {
    command->add_option(name, value, about)->type_name(type)->expected(1)->allow_extra_args(false);
  };
  add("--reason", request->reason, "TEXT", "why it may stay; it becomes the line's comment");
  add("--to", request->to, "FILE", "the file (teamsan.supp)");
  add("--report", request->report, "FILE", "the JSON report that it is in: the comment names rule and place");
  command->callback([request] { suppress(*request); });
}

}  // namespace teamsan::cli
