// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TextReport.hpp"

#include "../base/MemoryName.hpp"
#include "../findings/TextLayout.hpp"
#include "Causes.hpp"
#include "Presentable.hpp"
#include "Ranking.hpp"
#include "Suppressions.hpp"
#include "TestRuns.hpp"
#include "TrafficTable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace teamsan {
namespace {

constexpr std::size_t inner_calls = 4, outer_calls = 2;  ///< that are shown of a longer chain

char const* severity_word(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "INFO";
    case Severity::warning:
      return "WARNING";
    case Severity::error:
      return "ERROR";
  }
  return "";
}

std::string header(Finding const& finding, std::size_t number, std::size_t total) {
  return header_line(
      fmt::format("{} [{}] {}", severity_word(finding.severity), rule_id(finding.rule), finding.title),
      total == 0 ? fmt::format("finding {}", number) : fmt::format("finding {} of {}", number, total));
}

/// "called from rhs.cpp:12", each; of many, the middle is folded.
void add_calls(std::vector<std::string>& parts, std::span<Place const> calls) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    parts.push_back(fmt::format("called from {}:{}", calls[i].file, calls[i].line));
    if (calls.size() <= inner_calls + outer_calls + 1 || i + 1 != inner_calls) continue;
    std::size_t const folded = calls.size() - inner_calls - outer_calls;
    parts.push_back(fmt::format("... {} ...", counted(folded, "call")));
    i += folded;
  }
}

std::string kernel_line(ReportedFinding const& found, std::string_view gap = "  ") {
  Finding const& finding = found.finding;
  if (finding.launch == 0 && finding.kernel.empty()) return "none: host code outside any kernel";
  std::vector<std::string> parts{fmt::format("\"{}\"", clipped(finding.kernel))};
  if (!finding.policy.empty()) parts.push_back(finding.policy);
  if (finding.launch != 0) parts.push_back(fmt::format("launch #{}", with_commas(finding.launch)));
  if (!finding.region.empty()) parts.push_back("region " + clipped(finding.region));
  if (!found.launched.empty()) {
    parts.push_back(fmt::format("launched at {}:{}", found.launched[0].file, found.launched[0].line));
    add_calls(parts, std::span(found.launched).subspan(1));
  }
  return joined_parts(parts, gap);
}

std::string where_in(Data const& data) {
  std::uint64_t const end = data.bytes;
  if (static_cast<std::int64_t>(data.offset) < 0)
    return fmt::format("{} before its start", counted(-data.offset, "byte"));
  if (end != 0 && data.offset == end) return "right past its end";
  if (end != 0 && data.offset > end)
    return fmt::format("{} past its end", counted(data.offset - end, "byte"));
  std::string const field = data.field.empty() ? std::string() : ", field " + data.field;
  if (data.within != 0) return fmt::format("byte {}, {} of the element{}", data.offset, data.within, field);
  return fmt::format("byte {}{}", data.offset, field);
}

/// "element 17 of 64 (8 bytes each), byte 136", as far as it is known.
std::string part_of(Data const& data) {
  bool const inside = data.offset < data.bytes;
  std::string shape;
  if (data.element_bytes != 0 && data.bytes >= data.element_bytes) {
    std::string const total = with_commas(data.bytes / data.element_bytes);
    std::string const size = counted(data.element_bytes, "byte");
    shape = inside ? fmt::format(", element {} of {} ({} each)",
                                 with_commas(data.offset / data.element_bytes), total, size)
                   : fmt::format(", {} of {}", counted(data.bytes / data.element_bytes, "element"), size);
  } else if (data.bytes != 0) {
    shape = ", " + counted(data.bytes, "byte");
  }
  return shape + ", " + where_in(data);
}

std::string data_line(Finding const& finding) {
  Data const& data = finding.data;
  std::string const name =
      data.label.empty() && data.index.empty() ? std::string() : clipped(data.label) + data.index + ": ";
  switch (data.kind) {
    case Data::Kind::none:
      return {};
    case Data::Kind::view:
      if (finding.rule == Rule::leak)
        return fmt::format("{}{}{}", name, data.shape.empty() ? "" : clipped(data.shape) + ", ",
                           counted(data.bytes, "byte"));
      if (!data.shape.empty()) return fmt::format("{}{}, {}", name, clipped(data.shape), where_in(data));
      if (name.empty() && data.bytes == 0) return fmt::format("{}, far from any View", memory_name(data.address));
      return fmt::format("{}{}{}", name, memory_name(data.address), part_of(data));
    case Data::Kind::scratch:
      if (!data.shape.empty())
        return fmt::format("{}{}, scratch level {}, {}", name, clipped(data.shape), data.scratch_level,
                           where_in(data));
      return fmt::format("{}scratch level {}{}", name, data.scratch_level, part_of(data));
    case Data::Kind::constant:
      return "the kernel's own copy of its functor" + part_of(data);
    case Data::Kind::lane_stack:
      return data.bytes != 0 ? name + "an array of the lane's own" + part_of(data) : "the stack of a lane";
    case Data::Kind::host:
      return name + "host memory";
  }
  return {};
}

char const* access_word(AccessKind access) {
  switch (access) {
    case AccessKind::none:
      return "LANE";
    case AccessKind::read:
      return "READ";
    case AccessKind::write:
      return "WRITE";
    case AccessKind::atomic_read:
      return "ATOMIC";
    case AccessKind::atomic_write:
      return "ATOMIC";
  }
  return "";
}

/// Columns that line up over the sides of a finding.
struct SideWidths {
  std::size_t league = 0, thread = 0, lane = 0, warp = 0;
  bool bytes_differ = false;

  explicit SideWidths(std::vector<ReportedSide> const& sides) {
    auto const widen = [](std::size_t& width, std::uint64_t n) {
      width = std::max(width, fmt::formatted_size("{}", n));
    };
    for (auto const& [side, trail, source] : sides) {
      if (side.access != AccessKind::none && side.bytes != sides.front().side.bytes) bytes_differ = true;
      if (!side.has_lane) continue;
      widen(league, side.league), widen(thread, side.thread);
      widen(lane, side.vector_lane), widen(warp, side.warp);
    }
  }
};

std::string side_line(Side const& side, SideWidths const& widths, std::uint32_t element_bytes) {
  std::string text = side.actor.empty() ? "host code" : side.actor;
  if (side.has_lane) {
    text = fmt::format("league {:<{}}  thread {:<{}}  lane {:<{}}  ", side.league, widths.league, side.thread,
                       widths.thread, side.vector_lane, widths.lane);
    text += fmt::format("{:<{}}", fmt::format("(warp {})", side.warp), widths.warp + 7);
  }
  std::vector<std::string> rest;
  if (side.access == AccessKind::atomic_read) rest.push_back("atomic read");
  if (side.access == AccessKind::atomic_write) rest.push_back("atomic write");
  if (side.bytes != 0 && (widths.bytes_differ || side.bytes != element_bytes))
    rest.push_back(counted(side.bytes, "byte"));
  if (side.has_interval) rest.push_back(fmt::format("barrier interval {}", side.interval));
  if (!side.role.empty()) rest.push_back(side.role);
  if (!rest.empty()) text += "   " + fmt::format("{}", fmt::join(rest, ", "));
  while (text.back() == ' ') text.pop_back();
  return text;
}

std::string place_lines(ReportedSide const& side, bool name_function) {
  Trail const& trail = side.trail;
  if (!trail.place.known()) {
    if (side.side.site == Site{}) return {};
    std::string const in = trail.function.empty() ? "" : fmt::format(" in {}", trail.function);
    return continuation(fmt::format("no source line known{}: build with -g1", in));
  }
  std::vector<std::string> parts{to_string(trail.place)};
  if (name_function && !trail.place.function.empty()) parts.back() += " in " + trail.place.function;
  add_calls(parts, trail.callers);
  std::string text = continuation(joined_parts(parts, "   "));
  if (!side.source.empty()) text += quoted_line(trail.place.line, side.source, trail.place.column);
  return text;
}

std::string counted_finding(Finding const& finding) {
  return (finding.count_at_least ? "at least " : "") + counted(finding.count, rule_info(finding.rule).counted);
}

std::string count_line(ReportedFinding const& found) {
  Finding const& finding = found.finding;
  std::string text = counted_finding(finding);
  bool const has_team = !found.sides.empty() && found.sides.front().side.has_lane;
  std::string_view const in = finding.teams_at_least ? "in at least" : "in", team = finding.of_blocks ? "block" : "team";
  if (has_team && found.launches > 1)
    text += fmt::format(" {} {} of {} launches", in, counted(finding.teams, team), with_commas(found.launches));
  else if (has_team && finding.league_size >= finding.teams)
    text += fmt::format(" {} {} of {}", in, with_commas(finding.teams), counted(finding.league_size, team));
  else if (has_team)
    text += fmt::format(" {} {}", in, counted(finding.teams, team));
  else if (found.launches > 1)
    text += fmt::format(" in {}", counted(found.launches, "launch"));
  if (found.of_reports > 1)
    text += fmt::format(", in {} of {} reports", with_commas(found.reports), with_commas(found.of_reports));
  bool const of_a_variable = finding.rule == Rule::wrong_space && finding.data.kind == Data::Kind::host &&
                             !finding.data.label.empty();  // one finding, whatever lines come to it (detect/WrongSpace.cpp)
  if (finding.count > 1 && !found.sides.empty() && !of_a_variable)
    text += found.sides.size() > 1 ? ", all from this line pair" : ", all from this line";
  return text;
}

/// "WRITE a.cpp:12 and READ a.cpp:13".
std::string text_of_lines(ReportedFinding const& found) {
  std::vector<std::string> sides;
  for (ReportedSide const& side : found.sides)
    if (side.trail.place.known())
      sides.push_back(fmt::format("{} {}:{}", access_word(side.side.access), side.trail.place.file, side.trail.place.line));
  return fmt::format("{}", fmt::join(sides, " and "));
}

/// Of a finding that stands under another one of its cause: what is not that one's.
std::string also_line(ReportedFinding const& found, ReportedFinding const& above) {
  Data const& data = found.finding.data;
  std::string const& kernel = found.finding.kernel;
  bool const same = found.finding.rule == above.finding.rule && text_of_lines(found) == text_of_lines(above) &&
                    data.label == above.finding.data.label && kernel != above.finding.kernel;
  std::vector<std::string> parts{found.id};
  if (!same) {
    parts.front() += fmt::format(" {}", rule_id(found.finding.rule));
    parts.push_back(text_of_lines(found));
    if (!data.label.empty()) parts.push_back("on " + clipped(data.label) + data.index);
  }
  if (kernel != above.finding.kernel)
    parts.push_back(fmt::format("{}in kernel \"{}\"", same ? "the same " : "", clipped(kernel)));
  parts.push_back(counted_finding(found.finding));
  return joined_parts(parts, "  ");
}

/// Of one that was written while the program ran: what only its end knows.
std::string told_line(ReportedFinding const& found, TextStyle const& style) {
  Finding const& finding = found.finding;
  std::string const what = fmt::format("{} [{}]", severity_word(finding.severity), rule_id(finding.rule));
  std::string text = " " + joined_parts({found.id + "  " + what, count_line(found)}, "  ") + '\n';
  return text.replace(text.find(what), what.size(), painted(what, finding.severity, style.color));
}

/// What was made and left out, folded: by whom, and how many of which rule.
std::string known_lines(std::vector<ReportedFinding> const& known) {
  std::map<std::string, std::map<std::string_view, std::uint64_t>> by_where;
  for (ReportedFinding const& found : known) ++by_where[found.left_out.where][rule_id(found.finding.rule)];
  std::string text;
  for (auto const& [where, rules] : by_where) {
    std::vector<std::string> counts;
    std::uint64_t all = 0;
    for (auto const& [rule, count] : rules) {
      counts.push_back(fmt::format("{} {}", with_commas(count), rule));
      all += count;
    }
    text +=
        wrapped(fmt::format("==== teamsan: known: {} left out by {}: {}", with_commas(all), where, fmt::join(counts, ", "))) +
        '\n';
  }
  return text;
}

}  // namespace

std::string text_finding(ReportedFinding const& found, ProgramFacts const& program, std::size_t number,
                         std::size_t total, TextStyle const& style) {
  Finding const& finding = found.finding;
  std::string text = painted(header(finding, number, total), finding.severity, style.color) + '\n';
  text += entry("Kernel", kernel_line(found));
  if (std::string data = data_line(finding); !data.empty()) {
    char const* verb = finding.data.kind == Data::Kind::scratch ? "obtained" : "allocated";
    std::vector<std::string> parts{std::move(data)};
    if (found.obtained.known())
      parts.push_back(fmt::format("{} at {}:{}", verb, found.obtained.file, found.obtained.line));
    text += entry("Data", joined_parts(parts, "   "));
  }
  SideWidths const widths(found.sides);
  for (auto const& side : found.sides) {
    text += entry(access_word(side.side.access), side_line(side.side, widths, finding.data.element_bytes));
    text += place_lines(side, finding.rule == Rule::crash);
  }
  if (!finding.message.empty()) text += entry("Message", wrapped(finding.message));
  for (std::size_t i = 0; i < found.why.size(); ++i)
    text += entry(i == 0 ? "Why" : "", wrapped(found.why[i]));
  if (!found.fix.empty()) text += entry("Fix", wrapped(found.fix));
  if (finding.gain.known()) text += entry("Gain", wrapped(gain_text(finding.gain)));
  if (!style.so_far) text += entry("Count", count_line(found));
  if (std::string const tests = runs_line(found, program); !tests.empty()) text += entry("Tests", wrapped(tests));
  if (std::string const command = rerun_command(found, program); !command.empty())
    text += entry("Rerun", command);
  text += entry("Id", found.id);
  return text;
}

FindingWords finding_words(ReportedFinding const& found) {
  Finding const& finding = found.finding;
  FindingWords words{
      unwrapped(kernel_line(found, " ")), unwrapped(data_line(finding)), {}, count_line(found), {}};
  if (!words.data.empty() && found.obtained.known())
    words.obtained =
        fmt::format("{} at {}:{}", finding.data.kind == Data::Kind::scratch ? "obtained" : "allocated",
                    found.obtained.file, found.obtained.line);
  SideWidths const widths(found.sides);
  for (ReportedSide const& side : found.sides)
    words.sides.push_back(
        {access_word(side.side.access), side_line(side.side, widths, finding.data.element_bytes)});
  return words;
}

std::string text_summary(Report const& report) {
  ProgramFacts const& program = report.program;
  if (!program.written && report.findings.empty()) return "==== teamsan: no report ====\n";
  std::uint64_t const errors = report.count(Severity::error), warnings = report.count(Severity::warning);
  std::vector<std::string> found;
  if (errors != 0) found.push_back(counted(errors, "error"));
  if (warnings != 0) found.push_back(counted(warnings, "warning"));
  if (std::uint64_t const notes = report.count(Severity::info); notes != 0)
    found.push_back(counted(notes, "note"));
  // What is to be mended may be less than what was found.
  std::vector<std::size_t> const first = first_of_cause(report.findings);
  std::uint64_t causes = 0;
  for (std::size_t i = 0; i < first.size(); ++i) causes += first[i] == i;
  if (causes < first.size()) found.back() += " of " + counted(causes, "cause");
  if (program.suppressed != 0) found.push_back(fmt::format("{} suppressed", with_commas(program.suppressed)));
  std::string text = found.empty() ? "no findings" : fmt::format("{}", fmt::join(found, ", "));
  std::string const device = program.device.empty() ? "" : " on " + program.device;
  if (program.launches == 0) {
    text += ", no kernel ran" + device;
  } else {
    std::string const of = program.launches_checked == program.launches
                               ? counted(program.launches, "launch")
                               : fmt::format("{} of {}", with_commas(program.launches_checked),
                                             counted(program.launches, "launch"));
    std::string const decided =
        program.launches_decided == 0
            ? ""
            : fmt::format(" ({} by arithmetic)", with_commas(program.launches_decided));
    text += fmt::format(" in {}, {} checked{}{}", counted(program.kernels, "kernel"), of, decided, device);
  }
  if (program.reports > 1) text += fmt::format(" in {}", counted(program.reports, "report"));
  if (program.crashed)
    text += program.reports > 1 ? ", a program did not reach its end" : ", the program did not reach its end";
  if (!program.judged) text += ", not all could be judged";
  return fmt::format("==== teamsan: {} ====\n", text);
}

std::string text_report(Report const& given, TextStyle const& style) {
  Report const report = presentable(given);
  std::string text, told;
  std::vector<std::size_t> const first = first_of_cause(report.findings);
  std::size_t const total = report.findings.size();
  std::size_t printed = 0;
  for (std::size_t i = 0, whole = 0; i < total && whole != style.print_limit; ++i) {
    if (first[i] != i) continue;
    ReportedFinding const& found = report.findings[i];
    bool const was_told = style.told != nullptr && style.told->contains(found.id);
    std::string& to = was_told ? told : text;
    to += was_told ? told_line(found, style) : text_finding(found, report.program, i + 1, total, style);
    ++whole, ++printed;
    char const* with = "Also";
    for (std::size_t j = i + 1; j < total; ++j) {
      if (first[j] != i) continue;
      to += entry(std::exchange(with, ""), also_line(report.findings[j], report.findings[i]));
      ++printed;
    }
    if (!was_told) text += '\n';
  }
  if (!told.empty()) text += "==== teamsan: of the findings above ====\n" + told + '\n';
  if (printed < total)
    text += fmt::format("==== teamsan: {} not printed: see --print-limit ====\n",
                        counted(total - printed, "more finding"));
  if (style.suppressions && total != 0) {
    text += "# lines for a suppression file (--suppressions FILE):\n";
    for (ReportedFinding const& found : report.findings) text += suppression_line(found) + '\n';
    text += '\n';
  }
  text += test_table(report);
  text += traffic_tables(report, style.print_limit);
  text += ranking_table(report);
  if (report.migrations.asked_for || !report.kernels.empty())
    if (std::string const table = migration_table(report.migrations); !table.empty()) text += table + '\n';
  if (style.summary || total != 0) text += known_lines(report.known);
  for (auto const& note : report.program.notes) text += wrapped("==== teamsan: note: " + note) + '\n';
  if (style.summary || total != 0) text += text_summary(report);
  return text;
}

}  // namespace teamsan
