// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OnReport.hpp"

#include "../base/CoreFile.hpp"
#include "../base/ExitStatus.hpp"
#include "../base/LaneTable.hpp"
#include "../base/Options.hpp"
#include "../base/PatientMutex.hpp"
#include "../base/ReportFile.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Ending.hpp"
#include "../findings/TellNow.hpp"
#include "../places/Sites.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <tuple>

namespace teamsan::detect {

namespace {

template <class Sides>
Site site_of(Sides const& sides, std::size_t i) {
  return i < sides.size() ? sides[i].site : Site{};
}

TeamsanReport::Side side_of(RawSide const& s, std::uint32_t vector_length) {
  std::uint64_t const league = s.lane.known ? s.lane.league : ~std::uint64_t{0};
  return {address_of(s.site), league, s.lane.index / vector_length, s.lane.index % vector_length,
          static_cast<std::uint32_t>(s.access), 0};
}

TeamsanReport::Side side_of(Side const& s, std::uint32_t) {
  std::uint64_t const league = s.has_lane ? s.league : ~std::uint64_t{0};
  return {address_of(s.site), league, s.thread, s.vector_lane, static_cast<std::uint32_t>(s.access), 0};
}

/// "rhs.hpp:52:9", and a line for each call that led there.
std::string way_to(Side const& side) {
  Trail const trail = user_trail(side.site, side.callers);
  std::string way = trail.place.known() ? to_string(trail.place) : std::string();
  for (Place const& caller : trail.callers) way += '\n' + to_string(caller);
  return way;
}

/// --core-on-finding: once, at the first error that is told. True: this one.
bool wants_core() {
  static bool const asked = !options().core_on_finding.empty();
  return asked;
}
void write_core(Finding const& finding, std::string const& id) {
  static std::atomic<bool> written{false};
  if (written.load() || !is_told_as_error(finding) || written.exchange(true)) return;
  std::string const file = from_start_directory(expanded_file_name(options().core_on_finding));
  std::string const wrong = write_core_file(file);
  Collector::instance().note(wrong.empty()
                                 ? fmt::format("{} is a core file of {} as it was found: gdb PROGRAM {}, then "
                                               "info teamsan finding; gdb knows these commands where the program lies "
                                               "in a folder that add-auto-load-safe-path in ~/.gdbinit names",
                                               file, id, file)
                                 : fmt::format("no core file of {}: {}: {}", id, file, wrong));
}

template <class Sides>
void call(TeamsanReport report, Sides const& sides, std::uint32_t vector_length, std::function<Finding()> const& finding,
          bool undecided = false) {
  report.sides = static_cast<std::uint32_t>(std::min<std::size_t>(sides.size(), 2));
  for (std::uint32_t i = 0; i != report.sides; ++i) report.side[i] = side_of(sides[i], vector_length);
  std::string id, way[2];
  Finding whole;
  if (options().gdb || wants_core()) {
    whole = finding();
    id = id_of(whole);
    if (undecided) {
      Finding other = whole;
      other.rule = Rule::same_value;
      id += " or " + id_of(other);
    }
    for (std::uint32_t i = 0; i != report.sides; ++i) way[i] = way_to(whole.sides[i]);
  }
  report.id = id.c_str();
  for (std::uint32_t i = 0; i != 2; ++i) report.way[i] = way[i].c_str();
  static PatientMutex mutex;  // one stop at a time
  std::lock_guard const lock(mutex);
  __teamsan_lane_table.report = &report;
  __teamsan_on_report(&report);
  if (wants_core()) write_core(whole, id);
  __teamsan_lane_table.report = nullptr;
}

}  // namespace

bool is_news(Rule rule, Site site, Site other_site) {
  if (rule == Rule::same_value || rule == Rule::global_race || rule == Rule::unfenced_handover)
    rule = Rule::scratch_race;
  using Pair = std::tuple<Rule, Site, Site>;
  Pair const pair{rule, std::min(site, other_site), std::max(site, other_site)};
  thread_local std::array<Pair, 16> latest;  // lanes store again and again where others have
  Pair& known = latest[(number_of(site) + number_of(other_site)) / 4 % latest.size()];
  if (known == pair) return false;
  known = pair;
  static PatientMutex mutex;
  static auto* const reported = new std::set<Pair>;
  std::lock_guard const lock(mutex);
  return reported->insert(pair).second;
}

void notify_of_new(RawFinding const& finding, LaunchFacts const& launch, LaneIs lane) {
  bool const undecided = lane == LaneIs::before_the_value;
  std::string const rule = std::string(rule_id(finding.rule)) + (undecided ? " or same-value" : "");
  call({rule.c_str(), finding.title.c_str(), launch.config.label.c_str(), launch.number, 0,
        lane != LaneIs::gone_on, {}, "", {}},
       finding.sides, launch.config.vector_length, [&] { return finish(RawFinding(finding), launch); }, undecided);
}

void notify_debugger(RawFinding const& finding, LaunchFacts const& launch, LaneIs lane) {
  if (is_news(finding.rule, site_of(finding.sides, 0), site_of(finding.sides, 1))) notify_of_new(finding, launch, lane);
}

void notify_debugger(Finding const& finding) {
  if (!is_news(finding.rule, site_of(finding.sides, 0), site_of(finding.sides, 1))) return;
  bool const by_host = !finding.sides.empty() && !finding.sides[0].has_lane && finding.sides[0].actor.empty();
  call({rule_id(finding.rule), finding.title.c_str(), finding.kernel.c_str(), finding.launch, 0, by_host, {}, "", {}},
       finding.sides, 1, [&] { return finding; });
}

}  // namespace teamsan::detect

namespace teamsan {

void report(Finding&& finding) {
  detect::notify_debugger(finding);
  trace::record_finding(finding);
  tell_now(finding);
  bool const ends = ends_the_program(finding);
  Collector::instance().add(std::move(finding));
  if (ends) halt_program(exit_findings);
}

}  // namespace teamsan
