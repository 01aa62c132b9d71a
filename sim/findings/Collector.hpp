// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Takes findings, and what else a report tells of, while the program runs. Equal findings (same rule, kernel, data and sites)
/// are counted; the first of each kind is kept as the example (the first error, if some are errors and some warnings), in the
/// order of the calls: who calls in a fixed order gets the same report, byte for byte. It sees only what it is handed, and
/// keeps at most `max_distinct` different findings.
/// What a report makes of it: process/FinishedReport.hpp.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/WhyChecked.hpp"
#include "Finding.hpp"
#include "KernelLaunches.hpp"
#include "TeamCount.hpp"
#include "Traffic.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan {

/// One finding of the collector: the first of its key, with the count of all.
struct CollectedFinding {
  Finding finding;
  TeamCount teams;
  std::uint64_t kernel_launch = 0;  ///< which launch of its kernel, from 1; 0: unknown
};

/// All that was collected, as it stands.
struct Collected {
  std::vector<CollectedFinding> findings;  ///< in the order of their first appearance
  std::vector<KernelTraffic> traffic;
  std::vector<std::uint32_t> ordinals;     ///< launch number - 1 to which launch of its kernel it is
  std::set<std::tuple<std::string, Site, std::string>> remarks;  ///< kernel, place, sentence
  std::vector<std::string> kernels;        ///< labels of those that were checked, sorted
  std::vector<KernelLaunches> kernel_launches;  ///< in the order of their first launches
  std::string chosen_by;  ///< what chose the launches: "--budget 2x"; empty: nothing, all were to be checked
  std::vector<std::string> notes;
  std::map<std::pair<std::string, std::string>, std::uint64_t> elsewhere;  ///< launches by space and kernel
  std::map<std::pair<std::string, std::string>, std::uint64_t> undecided;  ///< launches by kernel and reason
  std::unordered_map<Site, std::uint64_t> redundant_stores;      ///< by instruction
  bool redundant_beside_races = false;  ///< of some, how many were redundant hangs on the order of teams
  std::uint64_t launches = 0, launches_checked = 0, launches_decided = 0;
  std::uint64_t dropped = 0;  ///< findings for which there was no room
  std::uint64_t unsure = 0;   ///< might have been another verdict, had all lines been looked up
  bool started = false;       ///< Kokkos was initialised
  bool gpu_kernels = false;   ///< was one of the program's kernels launched on the simulated GPU?
  bool over_limit = false;    ///< see note_limit
};

class Collector {
 public:
  static constexpr std::size_t max_distinct = 20000;

  Collector();
  ~Collector();

  /// The program's own collector. Lives until the process ends.
  static Collector& instance();

  /// Adds one finding. Thread-safe. Severity is taken as given, except that a warning becomes an error under
  /// --strict.
  void add(Finding&& finding);

  /// A launch begins. Launch `number` counts from 1 in the program. `checked`: the options let it be checked.
  void begin_launch(std::string_view kernel, std::uint64_t number, bool checked);

  /// A launch has ended, of the kernel with that label under that policy.
  void end_launch(std::string_view kernel, std::string_view policy, bool checked, LaunchCost const& cost);
  /// One that was checked was decided before it ran, by arithmetic.
  void count_decided();
  /// One was not, for that reason.
  void count_undecided(std::string_view kernel, WhyChecked const& why);
  /// Launches are chosen, by that option.
  void launches_chosen_by(std::string option);

  /// Kokkos was initialised: the program is one that has kernels.
  void begin_program();

  /// A kernel of the program's is launched on another space than the simulated GPU. Thread-safe.
  void count_elsewhere(std::string_view space, std::string_view kernel);

  /// Which launch of its kernel that one is, from 1; 0: unknown.
  std::uint64_t kernel_launch(std::uint64_t number) const;

  /// What the machine model counted in one launch. Thread-safe. Launches of one kernel add up.
  void add_traffic(KernelTraffic&& traffic);
  /// Vector lanes repeated, with the same value, the store of another lane of their thread, at this instruction;
  /// in a launch of which the teams raced?
  void count_redundant_stores(Site site, std::uint64_t stores, bool teams_raced);

  /// A sentence for the end of the report, printed once however often it is given.
  void note(std::string sentence);
  /// The same, which says that a limit of TeamSan's own ends the program: it has not passed, though it may end itself
  /// meanwhile.
  void note_limit(std::string sentence);

  /// A sentence about a place in a kernel, for the end of the report, which sorts them: once for each source line.
  /// Thread-safe.
  void remark(Site site, std::string_view kernel, std::string_view sentence);

  /// Has anything been launched, or found?
  bool has_worked() const;

  /// Findings so far by severity, before lines are merged; cheap.
  std::uint64_t errors() const;
  std::uint64_t warnings() const;

  /// Findings merged by sites, in the order of their first appearance.
  std::vector<Finding> findings() const;

  Collected collected() const;

  /// Forgets everything (the child of a fork, tests).
  void clear();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// The finding's, as --strict and --fail-on have it.
Severity severity_by_options(Finding const& finding);

/// See Collector::count_redundant_stores; for the program's collector.
void count_redundant_stores(Site site, std::uint64_t stores, bool teams_raced);

/// See Collector::begin_launch; for the program's collector.
void count_launch(std::string_view kernel, std::uint64_t number, bool checked);

}  // namespace teamsan
