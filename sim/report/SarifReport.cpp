// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SarifReport.hpp"

#include "../base/Explanations.hpp"
#include "Presentable.hpp"
#include "SourceRoot.hpp"
#include "TextReport.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace teamsan {
namespace {

using Json = nlohmann::ordered_json;

char const* level(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "none";
}

/// A path below the source root is relative to %SRCROOT%; others are absolute.
Json artifact(std::string const& file) {
  std::string uri;
  for (char const c : file) {
    bool const plain =
        std::isalnum(static_cast<unsigned char>(c)) || std::string_view("-._~/+").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  if (uri.starts_with('/')) return {{"uri", "file://" + uri}};
  return {{"uri", uri}, {"uriBaseId", "%SRCROOT%"}};
}

Json location(Place const& place, std::string const& source, std::string const& message) {
  Json result;
  if (place.known()) {
    unsigned const column = std::max(place.column, 1u);
    std::size_t const end = std::max<std::size_t>(source.size() + 1, column + 1);
    Json region{{"startLine", place.line}, {"startColumn", column}, {"endLine", place.line}, {"endColumn", end}};
    if (!source.empty()) region["snippet"] = {{"text", source}};
    result["physicalLocation"] = {{"artifactLocation", artifact(place.file)}, {"region", region}};
  }
  if (!place.function.empty()) result["logicalLocations"] = {{{"name", place.function}, {"kind", "function"}}};
  if (!message.empty()) result["message"] = {{"text", message}};
  return result;
}

Json location(ReportedSide const& side, std::string const& message) {
  return location(side.trail.place, side.source, message);
}

/// For what no source line is known of: the program's file. Code scanning takes no result without a place.
Json place_of_program(ProgramFacts const& program) {
  std::string const file = program.arguments.empty() ? "unknown" : program.arguments.front();
  return {{"physicalLocation",
           {{"artifactLocation", artifact(file)},
            {"region", {{"startLine", 1}, {"startColumn", 1}, {"endLine", 1}, {"endColumn", 2}}}}}};
}

/// Square brackets and backslashes mean links in a SARIF message.
std::string escaped(std::string const& text) {
  std::string result;
  for (char const c : text) {
    if (c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// The sides from this one on are related locations. The first is one of them where a reviewer is to look elsewhere.
std::size_t first_related(ReportedFinding const& found) {
  return found.sides.empty() || place_to_review(found) == found.sides.front().trail.place ? 1 : 0;
}

std::string message_of(ReportedFinding const& found, FindingWords const& words) {
  Finding const& finding = found.finding;
  std::string text = escaped(fmt::format("{} in kernel {}.", finding.title, words.kernel));
  if (!words.data.empty()) text += escaped(fmt::format(" Data: {}.", words.data));
  for (std::size_t i = first_related(found); i < found.sides.size(); ++i)
    if (found.sides[i].trail.place.known())
      text += fmt::format(" {} [{}]({}) by {}.", i == 0 ? "It is the" : "Against the", escaped(words.sides[i].access), i,
                          escaped(words.sides[i].lane));
  if (!finding.message.empty()) text += " " + escaped(finding.message);
  for (std::string const& why : found.why) text += " " + escaped(why) + ".";
  if (!found.fix.empty()) text += escaped(fmt::format(" Fix: {}.", found.fix));
  return text;
}

Json rules_json(Report const& report, std::map<Rule, std::size_t>& index) {
  Json rules = Json::array();
  for (auto const* const findings : {&report.findings, &report.known})
    for (ReportedFinding const& found : *findings) index.emplace(found.finding.rule, 0);
  std::size_t next = 0;
  for (auto& [rule, number] : index) {
    number = next++;
    std::string const help(explanation(rule));
    rules.push_back({{"id", rule_id(rule)},
                     {"name", rule_id(rule)},
                     {"shortDescription", {{"text", rule_info(rule).text}}},
                     {"fullDescription", {{"text", rule_info(rule).text}}},
                     {"help", {{"text", help}, {"markdown", help}}},
                     {"defaultConfiguration", {{"level", level(rule_info(rule).severity)}}},
                     {"properties", {{"tags", {rule_info(rule).group, "kokkos"}}}}});
  }
  return rules;
}

/// What came before and what did it, in program order as far as it is known.
Json flow(ReportedFinding const& found, FindingWords const& words) {
  Json steps = Json::array();
  for (std::size_t i = 0; i < found.sides.size(); ++i) {
    if (!found.sides[i].trail.place.known()) continue;
    Json step{{"location", location(found.sides[i], words.sides[i].access + " by " + words.sides[i].lane)}};
    steps.push_back(step);
  }
  return {{{"threadFlows", {{{"locations", steps}}}}}};
}

Json result_json(ReportedFinding const& found, ProgramFacts const& program, std::map<Rule, std::size_t> const& rules) {
  Finding const& finding = found.finding;
  FindingWords const words = finding_words(found);
  Json result{{"ruleId", rule_id(finding.rule)},
              {"ruleIndex", rules.at(finding.rule)},
              {"level", level(finding.severity)},
              {"message", {{"text", message_of(found, words)}}}};
  Json locations = Json::array(), related = Json::array();
  if (Place const place = place_to_review(found); place.known())
    locations.push_back(location(place, first_related(found) == 1 ? found.sides.front().source : "", ""));
  for (std::size_t i = first_related(found); i < found.sides.size(); ++i) {
    if (!found.sides[i].trail.place.known()) continue;
    Json one = location(found.sides[i], words.sides[i].access + " by " + words.sides[i].lane);
    one["id"] = i;
    related.push_back(one);
  }
  if (!locations.empty() || !related.empty()) result["codeFlows"] = flow(found, words);
  if (locations.empty()) locations.push_back(place_of_program(program));
  result["locations"] = locations;
  if (!related.empty()) result["relatedLocations"] = related;
  result["partialFingerprints"] = {{"teamsanId/v1", found.id}};
  result["occurrenceCount"] = std::min<std::uint64_t>(finding.count, 2147483647);
  using By = LeftOut::By;
  LeftOut const& out = found.left_out;
  if (!program.baseline.empty()) result["baselineState"] = out.by == By::baseline ? "unchanged" : "new";
  if (out.by == By::suppression || out.by == By::source)
    result["suppressions"] = {{{"kind", out.by == By::source ? "inSource" : "external"}, {"justification", out.where}}};
  return result;
}

}  // namespace

std::string sarif_report(Report const& given) {
  Report const report = presentable(from_source_root(given));
  std::map<Rule, std::size_t> index;
  Json const rules = rules_json(report, index);
  Json results = Json::array(), notes = Json::array();
  for (auto const* const findings : {&report.findings, &report.known})
    for (ReportedFinding const& found : *findings) results.push_back(result_json(found, report.program, index));
  for (std::string const& note : report.program.notes)
    notes.push_back({{"level", "note"}, {"message", {{"text", escaped(note)}}}});
  Json invocation{{"executionSuccessful", !report.program.crashed && report.program.judged}};
  if (!report.program.arguments.empty()) invocation["arguments"] = report.program.arguments;
  if (!notes.empty()) invocation["toolExecutionNotifications"] = notes;
  Json driver{{"name", "TeamSan"}, {"version", TEAMSAN_VERSION}, {"semanticVersion", TEAMSAN_VERSION}};
  if (std::string_view const page = TEAMSAN_HOMEPAGE; !page.empty()) driver["informationUri"] = page;
  driver["rules"] = rules;
  Json run{{"tool", {{"driver", driver}}}};
  if (std::string const& root = report.program.source_root; !root.empty())
    run["originalUriBaseIds"] = {{"%SRCROOT%", artifact(root)}};
  run["invocations"] = {invocation};
  run["columnKind"] = "utf16CodeUnits";
  run["results"] = results;
  Json const json{{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", {run}}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace teamsan
