// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FinishedReport.hpp"

#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"
#include "../detect/Performance.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Ending.hpp"
#include "../findings/TextLayout.hpp"
#include "../memory/Migration.hpp"
#include "../places/Symbolizer.hpp"
#include "../report/ChosenLaunches.hpp"
#include "../report/Merge.hpp"
#include "../report/OtherSpaces.hpp"
#include "../report/Suppressions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace teamsan {
namespace {

/// The side of it that stands where there are no line tables, if they decide what is of its kind; nullptr: there is none.
Side const* side_in_doubt(Finding const& finding) {
  if (rule_info(finding.rule).decided != Decided::by_lines) return nullptr;
  auto const side = std::find_if(finding.sides.begin(), finding.sides.end(), [](Side const& s) {
    return s.site != Site{} && !user_place(s.site, s.callers).known();
  });
  return side == finding.sides.end() ? nullptr : &*side;
}

/// Is there one? Errs towards silence.
bool in_doubt(Finding const& finding) { return side_in_doubt(finding) != nullptr; }

/// " (in MPI_Allreduce)", with the first of the names; empty: there are none.
std::string in_functions(std::set<std::string> const& names) {
  if (names.empty()) return {};
  constexpr std::size_t most = 3;
  std::size_t const shown = std::min(names.size(), most), more = names.size() - shown;
  return fmt::format(" (in {}{})", fmt::join(names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(shown)), ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

/// "1 finding is", "3 findings are".
std::string findings_are(std::uint64_t number) {
  return number == 1 ? "1 finding is" : fmt::format("{} findings are", with_commas(number));
}

/// Beside races of teams it hangs on their order which stores found the value there: then without a number.
std::string redundant_stores_note(std::unordered_map<Site, std::uint64_t> const& by_instruction, bool beside_races) {
  std::uint64_t stores = 0;
  for (auto const& [site, count] : by_instruction) stores += count;
  if (stores == 0) return {};
  if (beside_races)
    return fmt::format("redundant stores by vector lanes of one thread ({} reports them)", option_to_set("strict", "1"));
  return fmt::format("{} by vector lanes of one thread, at {} ({} reports them)", counted(stores, "redundant store"),
                     counted(by_instruction.size(), "instruction"), option_to_set("strict", "1"));
}

ProgramFacts facts_of(Collected& all) {
  ProgramFacts program;
  program.kernels = all.kernels.size();
  program.kernel_names = std::move(all.kernels);
  program.launches = all.launches;
  program.started = all.started;
  program.over_limit = all.over_limit;
  program.launches_checked = all.launches_checked;
  program.launches_decided = all.launches_decided;
  program.kernel_launches = std::move(all.kernel_launches);
  program.chosen_by = std::move(all.chosen_by);
  program.notes = std::move(all.notes);
  if (options().by.empty()) tell_chosen_launches(program);  // shards have all launches between them
  for (auto const& [where, launches] : all.elsewhere)
    program.other_launches.push_back({where.first, where.second, launches});
  judge_other_spaces(program, all.gpu_kernels, options().other_spaces);
  std::string redundant = redundant_stores_note(all.redundant_stores, all.redundant_beside_races);
  if (!redundant.empty() && options().summary) program.notes.push_back(std::move(redundant));
  for (auto const& [kernel, launches] : all.undecided)
    program.notes.push_back(fmt::format("kernel \"{}\": {} checked, since {}", clipped(kernel.first),
                                        counted(launches, "launch"), kernel.second));
  if (all.unsure != 0) {
    program.judged = false;
    program.notes.push_back(fmt::format(
        "{} not told: a line of the program could not be looked up, for a crash, or for want of memory or open files, and "
        "what is Kokkos' own was no longer known",
        findings_are(all.unsure)));
  }
  if (all.dropped != 0)
    program.notes.push_back(
        fmt::format("more than {} different findings were made; {} of the later ones are not in this report",
                    Collector::max_distinct, all.dropped));
  std::set<std::string> sentences;  // by line: which instruction and address it was may differ from build to build
  for (auto const& [kernel, site, sentence] : all.remarks)
    sentences.insert(fmt::format("kernel \"{}\", {}: {}", clipped(kernel), to_string(user_place(site)), sentence));
  program.notes.insert(program.notes.end(), sentences.begin(), sentences.end());
  return program;
}

}  // namespace

Report finished_report(Collector const& collector) {
  Collected all = collector.collected();
  Report report;
  report.program = facts_of(all);
  std::size_t const of_model = all.findings.size();
  for (KernelTraffic const& kernel : all.traffic) {
    report.kernels.push_back(merge_traffic(kernel));
    std::size_t const before = all.findings.size();
    detect::judge_performance(report.kernels.back(), all.findings);
    for (std::size_t i = before; i != all.findings.size(); ++i)
      all.findings[i].kernel_launch = all.ordinals[all.findings[i].finding.launch - 1];
  }
  // What is worth most comes first.
  std::ranges::stable_sort(all.findings.begin() + static_cast<std::ptrdiff_t>(of_model), all.findings.end(), std::greater<>{},
                           [](CollectedFinding const& f) { return f.finding.gain.seconds; });
  std::set<std::string> functions;
  std::size_t const unknown = std::erase_if(all.findings, [&](CollectedFinding const& f) {
    Side const* const side = side_in_doubt(f.finding);
    if (side == nullptr) return false;
    if (auto const& frames = frames_of(side->site); !frames.empty() && !frames[0].function.empty())
      functions.insert(frames[0].function);
    return true;
  });
  if (unknown != 0) {
    report.program.judged = false;
    report.program.notes.push_back(fmt::format(
        "{} not told, since the program has no line tables there{}: Kokkos' own locks, atomics and barriers are known by them "
        "alone. Compile for checking with -g1 or more, and do not strip the program",
        findings_are(unknown), in_functions(functions)));
  }
  report.findings = merge_by_lines(all.findings);
  report.migrations = migration::counts();
  return report;
}

bool is_left_out(Finding const& finding, Suppressions& suppressions) {
  if (in_doubt(finding)) return true;
  Report one;
  one.findings = merge_by_lines({CollectedFinding{finding, {}, 0}});
  suppressions.apply(one);
  return one.findings.empty();
}

std::string id_of(Finding const& finding) { return merge_by_lines({CollectedFinding{finding, {}, 0}}).front().id; }

bool is_told_as_error(Finding const& finding) {
  if (severity_by_options(finding) != Severity::error) return false;
  Suppressions suppressions = suppressions_of(options());
  return !is_left_out(finding, suppressions);
}

bool ends_the_program(Finding const& finding) {
  return options().halt_on_error && !is_ending() && is_told_as_error(finding);
}

}  // namespace teamsan
