/// A verdict as the detectors make it: addresses and lanes, no text. Equal ones (same rule, instructions and data) are
/// counted within a team, then, in league order, within the launch; text is made once for each that remains.
#pragma once

#include <teamsan/sim/machine/Launch.hpp>
#include <teamsan/sim/report/Finding.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
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
  std::uintptr_t pc = 0;
  std::vector<std::uintptr_t> callers;
  std::string role;
};

struct RawFinding {
  Rule rule{};
  Severity severity = Severity::error;
  std::string title;
  Data data;
  std::vector<RawSide> sides;
  std::vector<std::string> why;
  std::string fix;
  std::string message;
  bool sync_alone = false;  ///< see Finding
  std::uint64_t count = 1;
  std::uint64_t teams = 1;
};

/// What makes two findings one.
struct Key {
  Rule rule;
  std::uintptr_t pc, other_pc;
  std::uint64_t data;
  friend bool operator==(Key const&, Key const&) = default;
};
struct KeyHash {
  std::size_t operator()(Key const& k) const noexcept {
    std::uint64_t h = k.pc * 0x9e3779b97f4a7c15u ^ k.other_pc * 0xc2b2ae3d27d4eb4fu ^ k.data * 0x165667b19e3779f9u;
    return h ^ h >> 29 ^ static_cast<std::uint64_t>(k.rule) << 56;
  }
};

/// Findings in the order of their first appearance, equal ones counted.
class FindingList {
 public:
  /// Counts further ones and returns true if such a finding is there already.
  bool count_again(Key const& key, std::uint64_t more = 1) {
    auto const found = m_index.find(key);
    if (found == m_index.end()) return false;
    m_list[found->second].second.count += more;
    return true;
  }
  void add(Key const& key, RawFinding&& finding) {
    m_index.emplace(key, m_list.size());
    m_list.emplace_back(key, std::move(finding));
  }
  RawFinding* find(Key const& key) {
    auto const found = m_index.find(key);
    return found == m_index.end() ? nullptr : &m_list[found->second].second;
  }
  /// Takes the findings of a team: counts add up, and so do teams.
  void merge(FindingList&& team);
  /// Drops what is about the team and not about device memory: another shard reports it. But it ends in all of them if it
  /// crashes.
  void keep_global();
  bool empty() const { return m_list.empty(); }
  void clear() {
    m_index.clear();
    m_list.clear();
  }
  std::vector<std::pair<Key, RawFinding>>& list() { return m_list; }

 private:
  std::unordered_map<Key, std::size_t, KeyHash> m_index;
  std::vector<std::pair<Key, RawFinding>> m_list;
};

/// Geometry and names that turn lane indices into what a person reads.
struct LaunchFacts {
  LaunchConfig config;
  std::uint64_t number = 0;
  std::uint32_t warp_width = 32;
};

/// "TeamPolicy(league=128, team=32, vector=4)".
std::string policy_text(LaunchConfig const& config);

Finding finish(RawFinding&& raw, LaunchFacts const& launch);

}  // namespace teamsan::detect
