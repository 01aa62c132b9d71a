// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A verdict as the detectors make it: addresses and lanes, no text. Equal ones (same rule, instructions and data) are
/// counted within a team, then, in league order, within the launch; text is made once for each that remains.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/LaunchConfig.hpp"
#include "../base/PatientMutex.hpp"
#include "Finding.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan::detect {

/// A lane of a team of the running launch, or nobody.
struct LaneRef {
  bool known = false;
  std::uint64_t league = 0;
  std::uint32_t index = 0;
};

struct RawSide {
  AccessKind access = AccessKind::none;
  std::uint32_t bytes = 0;
  LaneRef lane;
  bool has_interval = false;
  std::uint64_t interval = 0;
  Site site{};
  std::vector<Site> callers;
  std::string role;
  std::string actor = {};  ///< see Side
};

struct RawFinding {
  Rule rule{};
  Severity severity = Severity::error;
  std::string title;
  Data data;
  std::vector<RawSide> sides;
  std::vector<Because> why;
  Remedy fix;
  std::string message;
  bool sync_alone = false, on_team_order = false;  ///< see Finding
  std::vector<std::uint64_t> views = {};  ///< that one index has run out of, by serial; few are kept
  std::uint64_t count = 1;
  std::uint64_t teams = 1;
  bool at_least = false;  ///< both are lower bounds
};

/// What makes two findings one.
struct Key {
  Rule rule;
  Site site, other_site;
  std::uint64_t data;
  friend bool operator==(Key const&, Key const&) = default;
};
struct KeyHash {
  std::size_t operator()(Key const& k) const noexcept {
    std::uint64_t h =
        number_of(k.site) * 0x9e3779b97f4a7c15u ^ number_of(k.other_site) * 0xc2b2ae3d27d4eb4fu ^ k.data * 0x165667b19e3779f9u;
    return h ^ h >> 29 ^ static_cast<std::uint64_t>(k.rule) << 56;
  }
};

/// Not only the shard that checks the team tells of it: it is about device memory, or ends the team.
bool is_for_all_shards(RawFinding const& finding);

/// Findings in the order of their first appearance, equal ones counted. One thread fills it; another may copy it meanwhile,
/// when the program is ended from outside: whatever moves findings is done under a lock, which counting does without.
class FindingList {
 public:
  FindingList() = default;
  /// What `other` has now; nothing if its thread has stopped in the middle of a change.
  FindingList(FindingList const& other) {
    Change const change(other);
    if (!change.held()) return;
    m_index = other.m_index;
    m_list = other.m_list;
  }
  FindingList(FindingList&& other) noexcept { *this = std::move(other); }
  FindingList& operator=(FindingList&& other) noexcept {
    Change const here(*this), there(other);
    m_index = std::exchange(other.m_index, {});
    m_list = std::exchange(other.m_list, {});
    return *this;
  }

  /// Counts further ones and returns true if such a finding is there already.
  bool count_again(Key const& key, std::uint64_t more = 1) {
    auto const found = m_index.find(key);
    if (found == m_index.end()) return false;
    std::atomic_ref const count(m_list[found->second].second.count);
    count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
    return true;
  }
  void add(Key const& key, RawFinding&& finding) {
    Change const change(*this);
    m_index.emplace(key, m_list.size());
    m_list.emplace_back(key, std::move(finding));
  }
  /// Something is added to one that is there.
  template <class Extend>
  void extend(Key const& key, Extend extend) {
    Change const change(*this);
    extend(m_list[m_index.at(key)].second);
  }
  RawFinding* find(Key const& key) {
    auto const found = m_index.find(key);
    return found == m_index.end() ? nullptr : &m_list[found->second].second;
  }
  /// Takes the findings of a team: counts add up, and so do teams.
  void merge(FindingList&& team);
  /// So many of one were another one, which `make()` gives unless it is there. What nobody has found any more is no finding.
  template <class Make>
  void retell(Key const& was, std::uint64_t count, Key const& key, Make make) {
    RawFinding* const finding = find(was);
    if (finding == nullptr || was == key) return;
    std::uint64_t const some = std::min(count, finding->count);
    finding->count -= some;
    if (some == 0 || count_again(key, some)) return drop_those_of_none();
    RawFinding other = make();
    other.count = some;
    add(key, std::move(other));
    drop_those_of_none();
  }
  /// Drops what another shard reports.
  void keep_global();
  bool empty() const { return m_list.empty(); }
  void clear() {
    if (m_list.empty()) return;
    Change const change(*this);
    m_index.clear();
    m_list.clear();
  }
  std::vector<std::pair<Key, RawFinding>>& list() { return m_list; }

 private:
  /// A thread that crashed in the middle of a change comes here again: nobody waits for long.
  class Change {
   public:
    explicit Change(FindingList const& list) : m_mutex(list.m_mutex), m_held(m_mutex.lock_within(std::chrono::seconds(1))) {}
    ~Change() {
      if (m_held) m_mutex.unlock();
    }
    Change(Change const&) = delete;
    Change& operator=(Change const&) = delete;
    bool held() const { return m_held; }

   private:
    PatientMutex& m_mutex;
    bool m_held;
  };
  void keep_if(bool (*keeps)(RawFinding const&));
  void drop_those_of_none();

  mutable PatientMutex m_mutex;
  std::unordered_map<Key, std::size_t, KeyHash> m_index;
  std::vector<std::pair<Key, RawFinding>> m_list;
};

Finding finish(RawFinding&& raw, LaunchFacts const& launch);

/// --halt-on-error: is it an error that is told?
bool ends_the_program(RawFinding const& raw, LaunchFacts const& launch);

}  // namespace teamsan::detect
