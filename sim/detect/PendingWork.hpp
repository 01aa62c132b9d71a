// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the execution space instances have done since they were last fenced, line by line (PendingLines.hpp): the
/// state behind missing-fence (MissingFence.hpp).
///
/// What other host threads ask for while a launch runs is neither before nor after it, whenever it comes: a fence leaves
/// the launch pending and orders nothing before it, a copy and the launch are not held against each other.
#pragma once

#include "../base/Arena.hpp"
#include "../base/LaunchConfig.hpp"
#include "../base/PatientMutex.hpp"
#include "PendingLines.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace teamsan::detect {

struct HostRange {
  std::uintptr_t begin, end;
  PendingAccess access;
  bool writes;
};

class PendingRows;

struct Instance {
  FootprintTable lines;  ///< by address / 64
  std::unordered_map<std::uint64_t, Extent> extents;    ///< of these, by the serials of allocations
  std::vector<PendingRows> rows;                        ///< of launches that are in no line, the latest last
  std::vector<HostRange> host;
  /// Shared allocations touched, by serial: of a device without concurrent access.
  std::unordered_map<std::uint64_t, PendingAccess> shared;
  Instance();
  Instance(Instance&&) noexcept;
  Instance& operator=(Instance&&) noexcept;
  ~Instance();
  bool empty() const { return lines.empty() && rows.empty() && host.empty(); }
  bool touches_device() const { return !lines.empty() || !rows.empty(); }
  /// Takes what a later kernel of the instance has left.
  void add(Instance&& later);
  /// What is pending in that line, if anything is.
  std::optional<Footprint> footprint(std::uintptr_t line) const;
  /// Might an access of some of these bytes, in one allocation, conflict with what is pending?
  bool may_meet(std::uintptr_t begin, std::uintptr_t end, bool writes, bool atomic) const;
};

/// A node of a graph that is being submitted, as an instance of its own.
struct GraphNode {
  std::uint32_t instance = 0;            ///< its number among instances, from Pending::first_node
  std::uint32_t of = 0;                  ///< the instance that the launch asks for
  std::set<std::uint32_t> before = {};   ///< nodes that edges put before it, in any number of steps
  bool on_host = false;                  ///< a call of the host's, which waits for those before it and no other
};

struct Pending {
  static constexpr std::uint32_t all = ~0u, none = ~0u - 1;  ///< instances
  static constexpr std::uint32_t first_node = 1u << 31;

  PatientMutex mutex;
  std::atomic<bool> several{false};  ///< instances
  std::atomic<bool> any{false};
  std::atomic<std::uint32_t> unfenced{none};  ///< instance of the latest launch; none: it is fenced
  std::deque<Work> work;
  std::uint64_t turns = 0;
  std::map<std::uint32_t, Instance> instances;
  std::map<std::uint32_t, LaunchFacts> last;  ///< kernel of each instance
  std::unordered_set<std::uint64_t> reported; ///< host accesses, with what they met

  // While a launch runs; in a replay until the records of what other host threads did meanwhile have been read.
  std::uint64_t launch = 0;  ///< its number; 0: none
  std::uint32_t launch_instance = 0;
  Instance of_launch;                                        ///< what it has left, once it has ended
  std::vector<std::pair<std::uint32_t, Instance>> fenced;  ///< by other host threads meanwhile: still before it

  std::map<void const*, GraphNode> nodes;  ///< of the graph that was submitted last, as far as they have run
  GraphNode* node = nullptr;               ///< that runs now
  std::uint32_t next_node = first_node;
  /// What the work that is asked for in an instance now is kept under.
  std::uint32_t kept_under(std::uint32_t instance) const { return node != nullptr ? node->instance : instance; }
  /// Does what is kept under `other` come before what runs now, or is it of the same instance?
  bool is_before(std::uint32_t instance, std::uint32_t other) const {
    // Nodes run in the instance that their graph is submitted in, whichever their policies name.
    if (node != nullptr) return other == node->of || other == node->instance || node->before.contains(other);
    return other == instance;
  }
  /// Has the host, in a node of its own, waited for it?
  bool host_waited(std::uint32_t other) const { return node != nullptr && node->on_host && is_before(node->instance, other); }
  /// Nodes come before whatever is not one of them: what they left becomes their instances' own.
  void end_graph();

  /// Until nothing is pending.
  Work& keep(Work&& of);
  void open(LaunchFacts const& facts);
  void close();
  void clear(std::uint32_t instance);
};

Pending& pending();

bool missing_fence_enabled();

inline bool host_reaches(std::uintptr_t address) {
  return arena::contains(arena::shared, arena::shared_bytes + arena::pinned_bytes, address);
}
inline bool is_global(std::uintptr_t address) { return arena::contains(arena::global, arena::global_bytes, address); }

/// The host must keep off a whole shared allocation while a kernel works on any of its bytes.
bool is_exclusive(std::uintptr_t address);

}  // namespace teamsan::detect
