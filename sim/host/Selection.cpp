// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Selection.hpp"

#include "../base/KernelNames.hpp"
#include "../base/OptionNames.hpp"
#include "../base/Options.hpp"
#include "../findings/Collector.hpp"
#include "CheckBudget.hpp"
#include "DealtLaunches.hpp"
#include "LaunchCost.hpp"
#include "LaunchSequence.hpp"
#include "LaunchShape.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace teamsan {

namespace {

/// As reports tell kernels apart: by label and policy.
using KernelName = std::pair<std::string, std::string>;

KernelName name_of(LaunchConfig const& config) { return {config.label, policy_name(config.policy)}; }

bool is_in(LaunchRuns const& runs, std::uint64_t launch) {
  for (auto const& [first, last] : runs)
    if (first <= launch && launch <= last) return true;
  return false;
}

/// What is known of a kernel from its launches so far.
struct Kernel {
  std::uint64_t launches = 0;
  LaunchSequence sequence;
  CountedAccesses accesses;
  std::uint64_t found = 0;  ///< so often something was, in the latest launch that was counted
  bool counted = false;  ///< these are what this run has counted
  bool ends_soon = false;  ///< the latest launch, of which nothing was counted, did
  CostBudget::Cost cost_account = 0;
  TimeBudget::Account time_account;
  EarlierKernel const* earlier = nullptr;  ///< nullptr: the report does not have it
};

}  // namespace

struct Selection::State {
  State() {
    Options const& o = options();
    if (o.m_budget_hundredths != 0) cost.emplace(o.m_budget_hundredths);
    if (o.m_budget_seconds != 0) time.emplace(std::chrono::seconds(o.m_budget_seconds));
    if (!o.by.empty()) dealt.emplace(o.m_shard_count);
    for (EarlierKernel const& kernel : o.by.empty() ? o.m_launches_of : o.m_by)
      earlier[{kernel.kernel, kernel.policy}] = &kernel;
    if (!o.chooses_launches()) return;
    auto const by = [](char const* option, std::string const& value) {
      Collector::instance().launches_chosen_by(option_with_value(option, value));
    };
    if (!o.budget.empty())
      by("budget", o.budget);
    else if (o.sample)
      Collector::instance().launches_chosen_by(option_to_set("sample", "1"));
    else
      o.by.empty() ? by("launches_of", o.launches_of) : by("by", o.by);
  }

  Kernel& kernel_of(LaunchConfig const& config) {
    auto const [it, fresh] = kernels.try_emplace(name_of(config));
    if (auto const known = fresh ? earlier.find(it->first) : earlier.end(); known != earlier.end()) {
      it->second.earlier = known->second;
      if (known->second->lanes != 0) it->second.accesses = {known->second->accesses, known->second->lanes};
    }
    return it->second;
  }

  /// Do --kernel-name and the like let the launch through?
  bool matches(LaunchConfig const& config) {
    Options const& o = options();
    static auto const& names = *new KernelNames(o);  // the program's destructors may launch
    if (!names.match(config.label, config.region)) return false;
    ++matching;
    return matching > o.launch_skip && (o.launch_count == 0 || matching <= o.launch_skip + o.launch_count);
  }

  bool chooses() {
    Options const& o = options();
    if (dealt) return dealt->deal(thought) == o.m_shard_index;
    if (!o.launches_of.empty()) return current->earlier != nullptr && is_in(current->earlier->checked, current->launches);
    if (cost && !cost->allows(current->cost_account, plain, thought, turn)) return false;
    if (time && !time->allows(current->time_account, turn)) return false;
    return !o.sample || turn.due;
  }

  std::map<KernelName, Kernel> kernels;
  std::map<KernelName, EarlierKernel const*> earlier;
  std::uint64_t matching = 0;
  std::optional<CostBudget> cost;
  std::optional<TimeBudget> time;
  std::optional<DealtLaunches> dealt;
  // Of the launch that runs.
  Kernel* current = nullptr;
  LaunchSequence::Turn turn{};
  Unchecked unchecked{};
  bool checked = false;
  std::uint64_t plain = 0, thought = 0;  ///< what it was thought to cost unchecked, and to be checked
  std::chrono::steady_clock::time_point begun;
};

Selection::Selection() : m_state(std::make_unique<State>()) {}
Selection::~Selection() = default;

Selection& Selection::instance() {
  static Selection& the = *new Selection;  // the program's destructors may launch
  return the;
}

bool Selection::begin(ComingLaunch const& launch) {
  State& s = *m_state;
  Options const& o = options();
  bool const chosen_before = launch.script != nullptr;
  s.current = &s.kernel_of(launch.config);
  ++s.current->launches;
  bool const by_shape = o.chooses_launches() && !chosen_before;
  s.turn = s.current->sequence.next(
      by_shape ? launch_shape(launch.config, launch.function, launch.kernel, launch.kernel_bytes) : 0);
  s.unchecked = unchecked_run(launch.plain, launch.kernel);
  s.plain = plain_cost(launch.config, s.current->accesses, s.unchecked);
  s.thought = checking_cost(launch.config, s.current->accesses, s.unchecked, s.current->found);
  s.checked = s.matches(launch.config);
  if (s.checked) s.checked = chosen_before ? launch.script->checked() : s.chooses();
  bool const all_teams = o.team < 0 && !o.quick;
  if ((!s.checked || !all_teams) && o.enabled(Rule::uninit_global)) {
    assume_written();
    Collector::instance().note(
        "launches or teams that were left out may have written to device memory: uninit-global was silent about all that "
        "was allocated before them");
  }
  s.begun = std::chrono::steady_clock::now();
  return s.checked;
}

bool Selection::weighs() const {
  return m_state->checked && (m_state->turn.due || m_state->cost) && !options().models();
}

Expected Selection::expected() const {
  constexpr std::uint64_t microsecond = 10'000, no_time = 25 * microsecond, short_time = 100 * microsecond;
  State const& s = *m_state;
  if (!s.current->counted) return s.current->ends_soon ? Expected::no_time : Expected::any_time;
  std::uint64_t const cost = s.plain + (s.checked ? s.thought : 0);
  return cost < no_time ? Expected::no_time : cost < short_time ? Expected::short_time : Expected::any_time;
}

void Selection::end(LaunchConfig const& config, LaunchWeight const* weight) {
  State& s = *m_state;
  Kernel& kernel = *s.current;
  auto const lasted = std::chrono::steady_clock::now() - s.begun;
  constexpr std::chrono::microseconds soon_by_all{20}, soon_by_one{40};  // to wake all takes most of the former
  if (!kernel.counted) kernel.ends_soon = lasted < (kernel.ends_soon ? soon_by_one : soon_by_all);
  LaunchCost took;
  if (weight != nullptr && weight->lanes() != 0) {
    took.accesses = weight->accesses();
    took.lanes = weight->lanes();
    kernel.counted = true;
    if (!s.dealt) {  // shards must think alike of what each has not run
      kernel.accesses = {took.accesses, took.lanes};
      kernel.found = weight->found();
    }
  }
  took.plain = plain_cost(config, kernel.accesses, Unchecked::loop);  // a replay has no plain bodies
  if (s.checked && s.cost)
    s.cost->correct(kernel.cost_account, s.thought, checking_cost(config, kernel.accesses, s.unchecked, kernel.found));
  if (s.checked && s.time) s.time->spend(kernel.time_account, lasted);
  if (!s.checked && options().enabled(Rule::uninit_global)) assume_written();  // what others allocated meanwhile, too
  Collector::instance().end_launch(config.label, policy_name(config.policy), s.checked, took);
}

}  // namespace teamsan
