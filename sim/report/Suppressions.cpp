// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Suppressions.hpp"

#include "../base/CheckList.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../findings/TextLayout.hpp"
#include "../places/SourceFile.hpp"
#include "FindingId.hpp"
#include "Writers.hpp"
#include "../../traces/InputFile.hpp"
#include "../../traces/Printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace teamsan {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  std::size_t const first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

bool is_type(std::string_view type) {
  return type == "kernel" || type == "view" || type == "id" || is_rule_or_group(type);
}

/// Everything of a side that a pattern may name.
std::vector<std::string> names_of(ReportedSide const& side) {
  std::vector<std::string> names{side.trail.function};
  auto const add = [&](Place const& place) {
    if (!place.known()) return;
    names.push_back(fmt::format("{}:{}", place.file, place.line));
    names.push_back(place.function);
  };
  add(side.trail.place);
  for (Place const& caller : side.trail.callers) add(caller);
  return names;
}

bool is_comment_line(std::string_view line) { return trimmed(line).starts_with("//"); }

/// Where a comment in a side's line, or in a comment of its own above it, asks for it: FILE:LINE; empty: none does.
std::string ignored_in_source(ReportedFinding const& found) {
  auto const names_rule = [&](std::string_view source) {
    auto const rules = ignored_rules(source);
    return std::find(rules.begin(), rules.end(), rule_id(found.finding.rule)) != rules.end();
  };
  for (ReportedSide const& side : found.sides) {
    Place const& place = side.trail.place;
    if (names_rule(side.source)) return fmt::format("{}:{}", place.file, place.line);
    if (place.line < 2) continue;
    std::string const above = source_line(place.path, place.line - 1);
    if (is_comment_line(above) && names_rule(above)) return fmt::format("{}:{}", place.file, place.line - 1);
  }
  return {};
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  bool anchored = pattern.starts_with('^');
  if (anchored) pattern.remove_prefix(1);
  bool const to_end = pattern.ends_with('$');
  if (to_end) pattern.remove_suffix(1);
  for (;;) {
    std::size_t const star = std::min(pattern.find('*'), pattern.size());
    std::string_view const part = pattern.substr(0, star);
    bool const last = star == pattern.size();
    if (last && to_end && !anchored) return text.ends_with(part);
    std::size_t const at = anchored ? (text.starts_with(part) ? 0 : std::string_view::npos) : text.find(part);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + part.size());
    if (last) return !to_end || text.empty();
    pattern.remove_prefix(star + 1);
    anchored = false;
  }
}

std::vector<std::string> ignored_rules(std::string_view source) {
  std::vector<std::string> rules;
  constexpr std::string_view mark = "teamsan: ignore(";
  std::size_t const comment = source.find("//");
  if (comment == std::string_view::npos) return rules;
  source.remove_prefix(comment);
  std::size_t const at = source.find(mark);
  if (at == std::string_view::npos) return rules;
  source.remove_prefix(at + mark.size());
  std::string_view list = source.substr(0, source.find(')'));
  while (!list.empty()) {
    std::size_t const end = std::min(list.find(','), list.size());
    rules.emplace_back(trimmed(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return rules;
}

void Suppressions::add_file(std::string const& file) {
  try {
    add_lines(traces::read_text_file(file), file);
  } catch (traces::InputError const& error) {
    throw OptionError(fmt::format("suppressions file \"{}\" cannot be read: {}", file, error.what()));
  }
}

void Suppressions::add_lines(std::string const& lines, std::string const& file) {
  std::istringstream stream(lines);
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::string_view const text = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (text.empty()) continue;
    std::string const where = fmt::format("{}:{}", file, number);
    std::size_t const colon = text.find(':');
    if (colon == std::string_view::npos || colon + 1 == text.size())
      throw OptionError(fmt::format("{}: \"{}\" is no suppression: write TYPE:PATTERN, as in race:src/solve.cpp", where,
                                    traces::printable(text)));
    std::string_view const type = text.substr(0, colon);
    if (!is_type(type))
      throw OptionError(fmt::format("{}: unknown type \"{}\": write a rule id, a group such as race, or kernel, view, id",
                                    where, traces::printable(type)));
    m_entries.push_back({std::string(type), std::string(text.substr(colon + 1)), where});
  }
}

void Suppressions::add_baseline(std::string const& file, bool update, bool whole) {
  m_update = update;
  m_whole = whole;
  std::error_code error;
  if (update && !std::filesystem::exists(from_start_directory(file), error))
    m_new_baseline = file;
  else
    m_baseline = Baseline(file);
}

void Suppressions::compare_baseline(Report& report) {
  if (!m_new_baseline.empty()) {
    // What an earlier baseline knew, of the runs that are put together here, is known on.
    Report all = report;
    auto const is_of_baseline = [](ReportedFinding const& f) { return f.left_out.by == LeftOut::By::baseline; };
    std::ranges::copy_if(report.known, std::back_inserter(all.findings), is_of_baseline);
    std::erase_if(all.known, is_of_baseline);
    for (ReportedFinding& found : all.findings) found.left_out = {};
    std::string_view const format = m_new_baseline.ends_with(".json") ? "json" : "ids";
    m_new_text = find_writer(format)->write(all);
    report.program.suppressed += report.findings.size();
    report.program.baseline = m_new_baseline;
    report.program.notes.push_back(
        fmt::format("the baseline {} is new: what was found is known from now on", m_new_baseline));
    for (ReportedFinding& found : report.findings) {
      found.left_out = {LeftOut::By::baseline, m_new_baseline};
      report.known.push_back(std::move(found));
    }
    report.findings.clear();
    return;
  }
  std::string const& file = m_baseline.file();
  if (file.empty()) return;
  report.program.baseline = file;
  std::string const why = m_whole ? m_baseline.unjudged(report.program) : "not all teams were checked";
  std::uint64_t not_checked = 0;
  if (why.empty()) {
    BaselineVerdict verdict = m_baseline.judge(report);
    m_fixed = std::move(verdict.fixed);
    not_checked = verdict.not_checked;
  }
  if (not_checked != 0)
    report.program.notes.push_back(
        fmt::format("not judged: {} of {} that this run did not make, since not all launches were checked that might have",
                    counted(not_checked, "finding"), file));
  report.program.fixed = m_fixed;
  if (m_update && !why.empty())
    report.program.notes.push_back(fmt::format("the baseline {} stays as it is: {}", file, why));
  if (m_fixed.empty()) return;
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, m_fixed.size()); ++i)
    names.push_back(m_fixed[i].rule.empty() ? m_fixed[i].id : fmt::format("{} {}", m_fixed[i].id, m_fixed[i].rule));
  if (m_fixed.size() > most) names.push_back(fmt::format("{} more", m_fixed.size() - most));
  report.program.notes.push_back(fmt::format("fixed since {}: {} ({})", file, fmt::join(names, ", "),
                                             m_update ? "taken out of it" : "--update-baseline takes them out of it"));
}

void Suppressions::update_baseline() const {
  if (!m_update) return;
  if (!m_new_baseline.empty())
    write_report_file(m_new_baseline, m_new_text);
  else if (!m_fixed.empty())
    m_baseline.take_out(m_fixed);
}

LeftOut Suppressions::left_out(ReportedFinding const& found) {
  Finding const& finding = found.finding;
  LeftOut result;
  using By = LeftOut::By;
  if (m_baseline.holds(found))
    result = {By::baseline, m_baseline.file()};
  else if (std::string place = ignored_in_source(found); !place.empty())
    result = {By::source, std::move(place)};
  for (Entry& entry : m_entries) {
    bool match = false;
    if (entry.type == "kernel") {
      match = matches_pattern(entry.pattern, finding.kernel);
    } else if (entry.type == "view") {
      match = !finding.data.label.empty() && matches_pattern(entry.pattern, finding.data.label);
    } else if (entry.type == "id") {
      match = names_finding(entry.pattern, found.id);
    } else if (entry.type == rule_id(finding.rule) || entry.type == rule_info(finding.rule).group) {
      match = !finding.data.label.empty() && matches_pattern(entry.pattern, finding.data.label);
      for (ReportedSide const& side : found.sides)
        for (std::string const& name : names_of(side)) match = match || (!name.empty() && matches_pattern(entry.pattern, name));
    }
    entry.used = entry.used || match;
    if (match && result.by == By::nobody) result = {By::suppression, entry.where};
  }
  return result;
}

void Suppressions::apply(Report& report) {
  compare_baseline(report);
  std::vector<ReportedFinding> left;
  for (ReportedFinding& found : report.findings) {
    found.left_out = left_out(found);
    bool const is_known = found.left_out.by != LeftOut::By::nobody;
    report.program.suppressed += is_known;
    (is_known ? report.known : left).push_back(std::move(found));
  }
  // What the runs left out themselves uses entries too.
  for (ReportedFinding const& found : report.known) left_out(found);
  report.findings = std::move(left);
  for (Entry const& entry : m_entries)
    if (!entry.used)
      report.program.notes.push_back(
          fmt::format("{}: the suppression {}:{} matched nothing", entry.where, entry.type, entry.pattern));
}

Suppressions suppressions_of(Options const& options) {
  Suppressions result;
  if (!options.suppressions.empty()) result.add_file(options.suppressions);
  if (!options.baseline.empty()) {
    bool const whole = options.team < 0 && !options.quick && options.shard.empty();
    result.add_baseline(options.baseline, options.update_baseline, whole);
  }
  return result;
}

std::string finding_in_short(ReportedFinding const& found) {
  std::string line = rule_id(found.finding.rule);
  if (!found.sides.empty() && found.sides.front().trail.place.known())
    line += fmt::format(" at {}", to_string(found.sides.front().trail.place));
  if (!found.finding.kernel.empty()) line += fmt::format(" in kernel \"{}\"", found.finding.kernel);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string suppression_line(ReportedFinding const& found) {
  return fmt::format("id:{}  # {}", found.id, finding_in_short(found));
}

}  // namespace teamsan
