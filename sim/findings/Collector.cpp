// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Collector.hpp"

#include "../base/LaneTable.hpp"
#include "../base/Options.hpp"
#include "../base/PatientMutex.hpp"
#include "Ending.hpp"
#include "../places/KokkosNames.hpp"
#include "../places/Symbolizer.hpp"

#include <pthread.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace teamsan {
namespace {

/// What makes two findings the same before anything is symbolised.
class KeyHash {
 public:
  void add(std::uint64_t value) noexcept {
    m_hash = (m_hash ^ value) * 0x9e3779b97f4a7c15u;
    m_hash ^= m_hash >> 29;
  }
  void add(std::string_view text) noexcept {
    add(text.size());
    for (unsigned char const c : text) m_hash = (m_hash ^ c) * 0x100000001b3u;
  }
  std::uint64_t value() const noexcept { return m_hash; }

 private:
  std::uint64_t m_hash = 0xcbf29ce484222325u;
};

std::uint64_t key_hash(Finding const& finding) {
  KeyHash hash;
  hash.add(static_cast<std::uint64_t>(finding.rule));
  hash.add(finding.kernel);
  hash.add(static_cast<std::uint64_t>(finding.data.kind));
  hash.add(finding.data.label);
  hash.add(number_of(finding.data.obtained_site));
  hash.add(finding.message);
  hash.add(finding.sync_alone);
  for (Side const& side : finding.sides) {
    hash.add(number_of(side.site));
    hash.add(static_cast<std::uint64_t>(side.access));
    hash.add(side.role);
    for (auto const caller : side.callers) hash.add(number_of(caller));
  }
  return hash.value();
}

bool same_key(Finding const& a, Finding const& b) {
  auto const same_side = [](Side const& x, Side const& y) {
    return x.site == y.site && x.access == y.access && x.role == y.role && x.callers == y.callers;
  };
  return a.rule == b.rule && a.kernel == b.kernel && a.data.kind == b.data.kind && a.data.label == b.data.label &&
         a.data.obtained_site == b.data.obtained_site && a.message == b.message && a.sync_alone == b.sync_alone &&
         std::equal(a.sides.begin(), a.sides.end(), b.sides.begin(), b.sides.end(), same_side);
}

}  // namespace

struct Collector::State {
  mutable PatientMutex mutex;
  Collected all;  ///< but for `kernels`
  std::unordered_multimap<std::uint64_t, std::size_t> by_key;
  std::uint64_t errors = 0, warnings = 0;
  std::unordered_map<std::string, std::uint64_t> kernel_launches;  ///< all launches of a label
  std::unordered_set<std::string> checked_kernels;
  std::unordered_map<std::string, std::size_t> launches_by_kernel;  ///< by label and policy

  std::uint64_t kernel_launch(std::uint64_t number) const {
    return number != 0 && number <= all.ordinals.size() ? all.ordinals[number - 1] : 0;
  }
  CollectedFinding* find(std::uint64_t key, Finding const& finding) {
    auto const [first, last] = by_key.equal_range(key);
    for (auto it = first; it != last; ++it)
      if (same_key(all.findings[it->second].finding, finding)) return &all.findings[it->second];
    return nullptr;
  }
};

Collector::Collector() : m_state(std::make_unique<State>()) {}
Collector::~Collector() = default;

Collector& Collector::instance() {
  // Never destroyed: static objects of the program may still make findings while they die. A forked child
  // starts afresh, or it would report what its parent found once more.
  static Collector& collector = *[] {
    install_exit();
    static Collector* made = new Collector;
    __teamsan_lane_table.kernels = &made->m_state->kernel_launches;
    pthread_atfork([] { made->m_state->mutex.lock(); }, [] { made->m_state->mutex.unlock(); },
                   [] {
                     made->m_state->mutex.unlock();
                     made->clear();
                   });
    return made;
  }();
  return collector;
}

void Collector::add(Finding&& finding) {
  finding.severity = severity_by_options(finding);
  std::uint64_t const key = key_hash(finding);
  bool const unsure = was_look_up_lost() && rule_info(finding.rule).decided == Decided::by_lines;
  std::lock_guard const lock(m_state->mutex);
  if (unsure) {
    ++m_state->all.unsure;
    return;
  }
  if (CollectedFinding* known = m_state->find(key, finding)) {
    known->teams.add(finding.launch, finding.teams);
    if (finding.severity > known->finding.severity) {  // the worse one is the example
      m_state->errors += finding.severity == Severity::error;
      m_state->warnings -= known->finding.severity == Severity::warning;
      std::swap(known->finding, finding);
    }
    known->finding.count += finding.count;
    known->finding.count_at_least = known->finding.count_at_least || finding.count_at_least;
    known->finding.teams_at_least = known->finding.teams_at_least || finding.teams_at_least;
    return;
  }
  m_state->errors += finding.severity == Severity::error;
  m_state->warnings += finding.severity == Severity::warning;
  if (m_state->all.findings.size() >= max_distinct) {
    ++m_state->all.dropped;
    return;
  }
  CollectedFinding raw;
  raw.teams.add(finding.launch, finding.teams);
  raw.kernel_launch = m_state->kernel_launch(finding.launch);
  raw.finding = std::move(finding);
  m_state->by_key.emplace(key, m_state->all.findings.size());
  m_state->all.findings.push_back(std::move(raw));
}

Severity severity_by_options(Finding const& finding) {
  bool const strict = finding.severity == Severity::warning && options().strict;
  return strict || options().fails_on(finding.rule) ? Severity::error : finding.severity;
}

std::uint64_t Collector::kernel_launch(std::uint64_t number) const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->kernel_launch(number);
}

void Collector::begin_launch(std::string_view kernel, std::uint64_t number, bool checked) {
  std::string label(kernel);
  std::lock_guard const lock(m_state->mutex);
  std::uint64_t const ordinal = ++m_state->kernel_launches[label];
  if (number > m_state->all.ordinals.size()) m_state->all.ordinals.resize(number, 0);
  if (number != 0) m_state->all.ordinals[number - 1] = static_cast<std::uint32_t>(ordinal);
  ++m_state->all.launches;
  m_state->all.gpu_kernels = m_state->all.gpu_kernels || is_kernel(kernel);
  if (!checked) return;
  ++m_state->all.launches_checked;
  m_state->checked_kernels.insert(std::move(label));
}

void Collector::end_launch(std::string_view kernel, std::string_view policy, bool checked, LaunchCost const& cost) {
  std::string key(kernel);
  key.append(1, '\0').append(policy);
  std::lock_guard const lock(m_state->mutex);
  auto& kernels = m_state->all.kernel_launches;
  auto const [it, fresh] = m_state->launches_by_kernel.try_emplace(std::move(key), kernels.size());
  if (fresh) kernels.push_back({std::string(kernel), std::string(policy)});
  kernels[it->second].add(checked, cost);
}

void Collector::count_decided() {
  std::lock_guard const lock(m_state->mutex);
  ++m_state->all.launches_decided;
}

void Collector::count_undecided(std::string_view kernel, WhyChecked const& why) {
  std::string reason = why.reason != nullptr ? why.reason : "arithmetic was not asked";
  if (why.line != 0) reason += " (line " + std::to_string(why.line) + ")";
  std::lock_guard const lock(m_state->mutex);
  ++m_state->all.undecided[{std::string(kernel), std::move(reason)}];
}

void Collector::launches_chosen_by(std::string option) {
  std::lock_guard const lock(m_state->mutex);
  m_state->all.chosen_by = std::move(option);
}

void Collector::begin_program() {
  std::lock_guard const lock(m_state->mutex);
  m_state->all.started = true;
}

void Collector::count_elsewhere(std::string_view space, std::string_view kernel) {
  if (is_kokkos_own(kernel)) return;
  std::lock_guard const lock(m_state->mutex);
  ++m_state->all.elsewhere[{std::string(space), std::string(kernel)}];
}

void Collector::add_traffic(KernelTraffic&& traffic) {
  std::lock_guard const lock(m_state->mutex);
  for (KernelTraffic& known : m_state->all.traffic)
    if (known.kernel == traffic.kernel) return known.add(std::move(traffic));
  m_state->all.traffic.push_back(std::move(traffic));
}

void Collector::count_redundant_stores(Site site, std::uint64_t stores, bool teams_raced) {
  std::lock_guard const lock(m_state->mutex);
  m_state->all.redundant_stores[site] += stores;
  m_state->all.redundant_beside_races |= teams_raced;
}

void Collector::note(std::string sentence) {
  std::lock_guard const lock(m_state->mutex);
  auto& notes = m_state->all.notes;
  if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(std::move(sentence));
}

void Collector::note_limit(std::string sentence) {
  std::lock_guard const lock(m_state->mutex);
  m_state->all.notes.push_back(std::move(sentence));
  m_state->all.over_limit = true;
}

void Collector::remark(Site site, std::string_view kernel, std::string_view sentence) {
  std::lock_guard const lock(m_state->mutex);
  m_state->all.remarks.emplace(kernel, site, sentence);
}

bool Collector::has_worked() const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->all.launches != 0 || !m_state->all.findings.empty();
}

std::uint64_t Collector::errors() const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->errors;
}

std::uint64_t Collector::warnings() const {
  std::lock_guard const lock(m_state->mutex);
  return m_state->warnings;
}

std::vector<Finding> Collector::findings() const {
  std::lock_guard const lock(m_state->mutex);
  std::vector<Finding> result;
  for (CollectedFinding const& raw : m_state->all.findings) {
    result.push_back(raw.finding);
    result.back().teams = raw.teams.teams();
  }
  return result;
}

Collected Collector::collected() const {
  std::lock_guard const lock(m_state->mutex);
  Collected all = m_state->all;
  all.kernels.assign(m_state->checked_kernels.begin(), m_state->checked_kernels.end());
  std::sort(all.kernels.begin(), all.kernels.end());
  return all;
}

void Collector::clear() {
  std::lock_guard const lock(m_state->mutex);
  State& state = *m_state;
  state.all = {};
  state.by_key.clear();
  state.kernel_launches.clear();
  state.checked_kernels.clear();
  state.launches_by_kernel.clear();
  state.errors = state.warnings = 0;
}

void count_redundant_stores(Site site, std::uint64_t stores, bool teams_raced) {
  Collector::instance().count_redundant_stores(site, stores, teams_raced);
}

void count_launch(std::string_view kernel, std::uint64_t number, bool checked) {
  Collector::instance().begin_launch(kernel, number, checked);
}

}  // namespace teamsan
