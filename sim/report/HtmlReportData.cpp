// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the page draws, as JSON. Names are short but whole words: a person may read it in the file.
#include "HtmlReport.hpp"

#include "../findings/TextLayout.hpp"
#include "Causes.hpp"
#include "HtmlReportGrid.hpp"
#include "HtmlReportSources.hpp"
#include "Presentable.hpp"
#include "Ranking.hpp"
#include "TestRuns.hpp"
#include "TextReport.hpp"
#include "TrafficTable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

namespace teamsan {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_findings = 2000, max_sites = 2000;

/// The report without what no one would scroll to; each cut adds a note.
Report shown_part(Report const& report) {
  Report shown = report;
  // Errors first: what else there is may be never looked at.
  std::ranges::stable_sort(shown.findings, std::ranges::greater{}, [](auto const& found) { return found.finding.severity; });
  if (shown.findings.size() > max_findings) {
    shown.program.notes.push_back(fmt::format("{} are not on this page",
                                              counted(shown.findings.size() - max_findings, "more finding")));
    shown.findings.resize(max_findings);
  }
  std::size_t left = max_sites, cut = 0;
  for (ReportedTraffic& kernel : shown.kernels) {
    std::size_t const keep = std::min(left, kernel.sites.size());
    left -= keep;
    cut += kernel.sites.size() - keep;
    kernel.sites.resize(keep);
  }
  if (cut != 0)
    shown.program.notes.push_back(
        fmt::format("{} with counted accesses are not on this page", counted(cut, "source line")));
  return shown;
}

Json html_place(Place const& place) {
  if (!place.known()) return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"text", to_string(place)}};
}

/// "==== teamsan: 2 errors in 3 kernels ====\n" without its frame.
std::string closing_words(Report const& report) {
  std::string text = text_summary(report);
  constexpr std::string_view before = "==== teamsan: ", after = " ====\n";
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

std::string exit_words(Report const& report) {
  if (report.count(Severity::error) != 0)
    return "Errors were found: such a run ends with exit status 66, or with what --error-exitcode says.";
  if (!report.program.judged) return "Not all could be judged, as a note says: such a run ends with exit status 3.";
  if (!report.findings.empty())
    return "No errors were found: warnings and notes leave the program its own exit status.";
  return "Nothing was found: the exit status is the program's own.";
}

Json program_json(Report const& report, model::Device const* device) {
  ProgramFacts const& program = report.program;
  std::string evidence;
  if (device != nullptr && device->evidence != model::Evidence::measured)
    evidence = fmt::format(
        "The figures of the memory model for this device are {}, not compared with a chip's own counters.",
        device->evidence == model::Evidence::documented ? "taken from documents" : "assumptions");
  return {{"command", program.arguments.empty() ? "" : unwrapped(shell_command(program.arguments))},
          {"options", program.flags.empty() ? "" : unwrapped(shell_command(program.flags))},
          {"device", device != nullptr ? std::string(device->title) : program.device},
          {"evidence", evidence},
          {"summary", closing_words(report)},
          {"exit", exit_words(report)},
          {"crashed", program.crashed},
          {"errors", report.count(Severity::error)},
          {"warnings", report.count(Severity::warning)},
          {"infos", report.count(Severity::info)},
          {"kernels", program.kernels},
          {"launches", program.launches},
          {"checked", program.launches_checked},
          {"chosen_by", program.chosen_by},
          {"notes", program.notes}};
}

/// Lanes by name, those of the finding first, intervals by number; a touch refers to its lane by index.
Json html_life(WordLife const& life) {
  if (life.touches.empty()) return nullptr;
  std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> findings_lanes;
  for (WordTouch const& t : life.touches)
    if (t.side >= 0) findings_lanes.insert({t.league, t.thread, t.vector_lane});
  std::vector<std::tuple<bool, std::uint64_t, std::uint32_t, std::uint32_t>> lanes;
  std::set<std::uint64_t> intervals;
  auto const lane_of = [&](WordTouch const& t) {
    return std::tuple(!findings_lanes.contains({t.league, t.thread, t.vector_lane}), t.league, t.thread, t.vector_lane);
  };
  for (WordTouch const& t : life.touches) {
    lanes.push_back(lane_of(t));
    intervals.insert(t.interval);
  }
  std::sort(lanes.begin(), lanes.end());
  lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
  Json names = Json::array(), touches = Json::array();
  for (auto const& [other, league, thread, lane] : lanes)
    names.push_back(fmt::format("league {}  thread {}  lane {}", league, thread, lane));
  for (WordTouch const& t : life.touches) {
    auto const lane = std::lower_bound(lanes.begin(), lanes.end(), lane_of(t));
    touches.push_back({{"lane", lane - lanes.begin()},
                       {"interval", t.interval},
                       {"access", touch_word(t.access)},
                       {"bytes", t.bytes},
                       {"count", t.count},
                       {"place", html_place(t.place)},
                       {"source", t.source},
                       {"side", t.side}});
  }
  return {{"lanes", names}, {"intervals", intervals}, {"touches", touches}, {"left_out", life.left_out}};
}

constexpr std::size_t longest_quote = 120;

Json html_finding(ReportedFinding const& found, ProgramFacts const& program) {
  Finding const& finding = found.finding;
  FindingWords const words = finding_words(found);
  Json sides = Json::array();
  for (std::size_t i = 0; i < found.sides.size(); ++i) {
    Trail const& trail = found.sides[i].trail;
    QuotedPart const quoted = part_to_quote(found.sides[i].source, trail.place.column, longest_quote);
    Json callers = Json::array();
    for (Place const& caller : trail.callers) callers.push_back(html_place(caller));
    sides.push_back({{"access", words.sides[i].access},
                     {"lane", words.sides[i].lane},
                     {"place", html_place(trail.place)},
                     {"function", trail.function},
                     {"callers", callers},
                     {"source", quoted.text},
                     {"caret", quoted.caret == std::string::npos ? Json(nullptr) : Json(quoted.caret)}});
  }
  return {{"id", found.id},
          {"severity", severity_name(finding.severity)},
          {"rule", rule_id(finding.rule)},
          {"about", rule_info(finding.rule).text},
          {"title", finding.title},
          {"kernel", words.kernel},
          {"kernel_name", finding.kernel},
          {"data", words.data},
          {"obtained", words.obtained},
          {"sides", sides},
          {"message", finding.message},
          {"why", found.why},
          {"fix", found.fix},
          {"gain", finding.gain.known() ? gain_text(finding.gain) : ""},
          {"count", words.count},
          {"tests", runs_line(found, program)},
          {"life", html_life(found.life)},
          {"rerun", unwrapped(rerun_command(found, program))}};
}

/// What was made and left out, by whom.
Json known_json(std::vector<ReportedFinding> const& known) {
  Json rows = Json::array();
  for (ReportedFinding const& found : known)
    rows.push_back({{"id", found.id},
                    {"severity", severity_name(found.finding.severity)},
                    {"rule", rule_id(found.finding.rule)},
                    {"title", found.finding.title},
                    {"kernel", found.finding.kernel},
                    {"place", html_place(place_to_review(found))},
                    {"where", found.left_out.where}});
  return rows;
}

/// Of a joined report: what each test found, by the findings' places on the page.
Json tests_json(Report const& report) {
  Json rows = Json::array();
  for (TestIndex const& test : index_by_test(report))
    rows.push_back({{"test", test.test}, {"ranks", test.ranks}, {"findings", test.findings}});
  return rows;
}

Json kernel_json(ReportedTraffic const& kernel, model::Device const* device, std::vector<RankedKernel> const& ranked) {
  Json rows = Json::array();
  for (TrafficRow const& row : traffic_rows(kernel))
    if (row.counts->requests != 0)
      rows.push_back({{"banked", row.banked},
                      {"name", row.name},
                      {"requests", row.counts->requests},
                      {"cost", row.cost()},
                      {"ideal", row.ideal()}});
  Json json{
      {"name", kernel.kernel}, {"policy", kernel.policy}, {"counted", counted_part(kernel)}, {"rows", rows}};
  TrafficCounts const all = all_counts(kernel);
  json["launches"] = kernel.launches;
  json["width"] = kernel.warp_width;
  json["active"] = all.requests == 0 ? 0 : static_cast<double>(all.lane_accesses) / static_cast<double>(all.requests);
  json["occupancy"] = kernel.residency.known() ? Json(kernel.residency.resident.share()) : Json(nullptr);
  json["about"] = kernel_sentences(kernel);
  if (auto const one = std::ranges::find(ranked, &kernel, &RankedKernel::kernel); one != ranked.end())
    json["cost"] = {{"share", one->share},
                    {"seconds", one->cost.seconds()},
                    {"bound", bound_name(one->cost.bound())},
                    {"moved", one->bytes.moved}};
  if (device != nullptr) {
    MovedBytes const bytes = moved_bytes(kernel, *device);
    if (bytes.moved != 0)
      json["bytes"] = {{"moved", bytes.moved}, {"ideal", bytes.ideal}, {"asked", bytes.asked}};
    json["spaces"] = Json::array();
    for (SpaceBytes const& space : bytes_by_space(kernel, *device))
      json["spaces"].push_back({space.name, space.bytes.moved, space.bytes.ideal, space.bytes.asked});
    json["roof"] = roof_sentence(kernel, *device);
  }
  return json;
}

/// Cells as [lane, column, value, kind], columns as [name, used].
Json grid_json(AccessGrid const& grid) {
  Json columns = Json::array(), cells = Json::array();
  for (GridColumn const& column : grid.columns) columns.push_back({column.name, column.used});
  for (GridCell const& cell : grid.cells)
    cells.push_back({cell.lane, cell.column, cell.value, static_cast<int>(cell.kind)});
  return {{"columns", columns}, {"cells", cells}, {"turn", grid.turn_of}, {"turns", grid.turns}};
}

Json site_json(ReportedSite const& found, std::size_t kernel, ReportedTraffic const& traffic,
               model::Device const* device) {
  AccessSite const& site = found.site;
  Json json{{"kernel", kernel},
            {"place", html_place(found.place)},
            {"source", found.source},
            {"data", data_name(site.data, site.banked)},
            {"operation", operation_name(site.operation)},
            {"width", site.bytes_per_lane},
            {"banked", site.banked},
            {"requests", site.counts.requests},
            {"cost", found.cost()},
            {"ideal", found.ideal()},
            {"times", times_ideal(found)},
            {"degree", degree(found)},
            {"share", share_of_kernel(found, traffic)},
            {"worth", found.gain.share},
            {"gain", found.gain.known() ? gain_text(found.gain) : ""},
            {"fix", found.fix}};
  if (device != nullptr && site.worst.active != 0) {
    json["warp"] = {{"league", site.worst.league},
                    {"warp", site.worst.warp},
                    {"occurrence", site.worst.occurrence},
                    {"cost", site.worst.cost},
                    {"ideal", site.worst.ideal},
                    {"unit", site.banked ? device->bank_width : device->sector_bytes},
                    {"grid", grid_json(site.banked ? bank_grid(site, *device) : sector_grid(site, *device))}};
  }
  return json;
}

Json source_json(SourceText const& text) {
  Json runs = Json::array(), marks = Json::array();
  for (SourceRun const& run : text.runs) runs.push_back({{"first", run.first}, {"lines", run.lines}});
  for (auto const& [line, mark] : text.marks)
    marks.push_back({{"line", line},
                     {"wavefronts", mark.excess_wavefronts},
                     {"sectors", mark.excess_sectors},
                     {"findings", mark.findings}});
  return {{"file", text.file}, {"note", text.note}, {"runs", runs}, {"marks", marks}};
}

/// Inside <script> the browser looks for "</script" and "<!--" before any script does.
std::string safe_in_script(std::string const& json) {
  std::string safe;
  safe.reserve(json.size());
  for (char const c : json) {
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string html_report_data(Report const& given) {
  Report const report = presentable(given);
  Report const shown = shown_part(report);
  model::Device const* device = model::find_device(report.program.device_name);
  Json program = program_json(report, device);
  program["notes"] = shown.program.notes;
  Json findings = Json::array(), kernels = Json::array(), sites = Json::array(), sources = Json::array();
  std::vector<std::size_t> const first = first_of_cause(shown.findings);
  for (std::size_t i = 0; i < shown.findings.size(); ++i) {
    findings.push_back(html_finding(shown.findings[i], report.program));
    findings.back()["cause"] = first[i] == i ? Json(nullptr) : Json(first[i]);
  }
  std::vector<RankedKernel> const ranked = ranking(report);
  for (std::size_t i = 0; i < shown.kernels.size(); ++i) {
    kernels.push_back(kernel_json(report.kernels[i], device, ranked));
    for (auto const& site : shown.kernels[i].sites)
      sites.push_back(site_json(site, i, report.kernels[i], device));
  }
  for (auto const& text : embedded_sources(shown)) sources.push_back(source_json(text));
  Json const data{{"program", program},
                  {"findings", findings},
                  {"known", known_json(report.known)},
                  {"tests", tests_json(shown)},
                  {"kernels", kernels},
                  {"sites", sites},
                  {"sources", sources}};
  return safe_in_script(data.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace teamsan
