// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Baseline.hpp"

#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "ChosenLaunches.hpp"
#include "FindingId.hpp"
#include "JsonReader.hpp"
#include "../../traces/InputFile.hpp"
#include "../../traces/Printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <unordered_set>

namespace teamsan {
namespace {

constexpr std::string_view heading = "# teamsan run";
constexpr std::string_view before_program = " -- ";
constexpr std::string_view blanks = " \t\r";

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The flags by which one run can find what another cannot; not those that choose an order.
std::vector<std::string> deciding(std::vector<std::string> const& flags) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    OptionInfo const* const option = option_of_flag(flags[i]);
    if (option == nullptr || option->reproduces != Reproduces::finds) continue;
    result.push_back(flags[i]);
    if (i + 1 < flags.size() && !flags[i + 1].starts_with("--")) result.push_back(flags[++i]);
  }
  return result;
}

/// The program, wherever it was built, and what it was given. In words, as a list of ids has them.
std::vector<std::string> without_folder(std::vector<std::string> const& arguments) {
  std::string text;
  for (std::string const& argument : arguments)
    text += text.empty() ? traces::printable(std::filesystem::path(argument).filename().string())
                         : ' ' + traces::printable(argument);
  return words_of(text);
}

bool ran(ProgramFacts const& program, std::string const& kernel) {
  return kernel.empty() || std::ranges::find(program.kernel_names, kernel) != program.kernel_names.end();
}

/// Does a finding of it rest on what other kernels do, too?
bool is_of_program(std::string const& rule) {
  auto const known = std::ranges::find_if(rules(), [&](RuleInfo const& info) { return info.id == rule; });
  if (known == rules().end()) return true;  // a list of ids, or a rule of a later version: nothing is known of it
  return known->rerun == RerunScope::program || known->rerun == RerunScope::program_if_two;
}

}  // namespace

Baseline::Baseline(std::string const& file) : m_file(file) {
  std::string text;
  try {
    text = traces::read_text_file(from_start_directory(file));
  } catch (traces::InputError const& error) {
    throw OptionError(fmt::format("baseline: cannot read \"{}\": {}", file, error.what()));
  }
  std::size_t const first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') {
    read_ids(text);
    return;
  }
  try {
    Report const report = read_json_report(text, file);
    for (ReportedFinding const& found : report.findings)
      m_known.push_back({found.id, rule_id(found.finding.rule), found.finding.kernel});
    // One that was made under a baseline knows what that knew.
    for (ReportedFinding const& found : report.known)
      if (found.left_out.by == LeftOut::By::baseline)
        m_known.push_back({found.id, rule_id(found.finding.rule), found.finding.kernel});
    m_by_unknown = false;
    m_arguments = without_folder(report.program.arguments);
    m_flags = deciding(report.program.flags);
  } catch (ReportReadError const& error) {
    throw OptionError(fmt::format("baseline: {}", error.what()));
  }
  for (std::size_t i = 0; i < m_known.size(); ++i) m_ids.emplace(m_known[i].id, i);
}

void Baseline::read_ids(std::string_view text) {
  for (unsigned number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.starts_with(heading)) {
      line.remove_prefix(heading.size());
      std::size_t const program = std::min(line.find(before_program), line.size());
      m_by_unknown = false;
      m_flags = deciding(words_of(line.substr(0, program)));
      m_arguments = words_of(line.substr(std::min(program + before_program.size(), line.size())));
      continue;
    }
    line = line.substr(0, line.find('#'));
    while (!line.empty() && blanks.find(line.back()) != line.npos) line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) continue;
    if (!line.starts_with("TS-") || line.find_first_of(blanks) != line.npos)
      throw OptionError(fmt::format("baseline: {}:{}: \"{}\" is no id: a baseline is a JSON report, or a list of ids "
                                    "(--report ids=FILE)",
                                    m_file, number, traces::printable(line.substr(0, 40))));
    if (m_ids.emplace(line, m_known.size()).second) m_known.push_back({std::string(line), "", ""});
  }
}

bool Baseline::holds(ReportedFinding const& found) const {
  for (std::string const& id : {found.id, once_called(found.id)}) {
    auto const it = m_ids.find(id);
    if (it == m_ids.end()) continue;
    FixedFinding const& known = m_known[it->second];
    if (known.rule.empty() || (known.rule == rule_id(found.finding.rule) && known.kernel == found.finding.kernel)) return true;
  }
  return false;
}

std::string Baseline::unjudged(ProgramFacts const& program) const {
  if (!program.finished || !program.written) return "the program did not reach its end";
  if (!program.judged) return "not all could be judged";
  if (!program.shard.empty()) return "this is a shard";
  if (m_by_unknown) return {};
  if (without_folder(program.arguments) != m_arguments) return "it is of another program, or of other arguments";
  if (deciding(program.flags) != m_flags) return "it is of other checks, or of another device";
  return {};
}

BaselineVerdict Baseline::judge(Report const& report) const {
  if (!unjudged(report.program).empty()) return {};
  ProgramFacts const& program = report.program;
  std::unordered_set<std::string> there;
  for (auto const* const findings : {&report.findings, &report.known})
    for (ReportedFinding const& found : *findings) there.insert({found.id, once_called(found.id)});
  BaselineVerdict verdict;
  for (FixedFinding const& known : m_known) {
    if (there.contains(known.id)) continue;
    bool const whole = all_launches_checked(program, is_of_program(known.rule) ? std::string() : known.kernel);
    if (whole && ran(program, known.kernel)) verdict.fixed.push_back(known);
    verdict.not_checked += !whole;
  }
  return verdict;
}

void Baseline::take_out(std::vector<FixedFinding> const& gone) const {
  auto const is_gone = [&](std::string_view id) { return std::ranges::find(gone, id, &FixedFinding::id) != gone.end(); };
  std::string const text = traces::read_text_file(from_start_directory(m_file));
  std::string left;
  if (auto json = nlohmann::ordered_json::parse(text, nullptr, false); json.is_object()) {
    for (char const* const list : {"findings", "known"}) {
      if (!json.contains(list)) continue;
      auto& entries = json[list];
      for (std::size_t i = entries.size(); i-- != 0;)
        if (is_gone(entries[i].value("id", ""))) entries.erase(i);
    }
    auto& findings = json["findings"];
    auto const count = [&](std::string_view severity) {
      return std::ranges::count_if(findings, [&](auto const& f) { return f.value("severity", "") == severity; });
    };
    json["errors"] = count("error");
    json["warnings"] = count("warning");
    json["infos"] = count("info");
    left = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
  } else {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> const words = words_of(line.substr(0, line.find('#')));
      if (words.empty() || !is_gone(words[0])) left += line + '\n';
    }
  }
  write_report_file(m_file, left);
}

std::string id_report(Report const& report) {
  ProgramFacts const& program = report.program;
  std::vector<std::string> flags = deciding(program.flags);
  for (std::string& flag : flags) flag = traces::printable(flag);
  std::string text = fmt::format("{}{}{}{}{}\n", heading, flags.empty() ? "" : " ", fmt::join(flags, " "),
                                 before_program, fmt::join(without_folder(program.arguments), " "));
  for (ReportedFinding const& found : report.findings) text += traces::printable(found.id) + '\n';
  for (ReportedFinding const& found : report.known)
    if (found.left_out.by == LeftOut::By::baseline) text += traces::printable(found.id) + "  # known before\n";
  return text;
}

}  // namespace teamsan
