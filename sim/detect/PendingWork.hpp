// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the execution space instances have done since they were last fenced, line by line: the state behind
/// missing-fence (MissingFence.hpp), and what its findings say of it.
///
/// What other host threads ask for while a launch runs is neither before nor after it, whenever it comes: a fence leaves
/// the launch pending and orders nothing before it, a copy and the launch are not held against each other.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Arena.hpp"
#include "../base/PatientMutex.hpp"
#include "../findings/RawFinding.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace teamsan::detect {

/// A bit per byte of a line.
using Mask = std::uint64_t;

/// A kernel, or something the instance does for one, whose work is pending.
struct Work {
  LaunchFacts facts;      ///< of the kernel; number 0: a copy outside any
  char const* actor = "";  ///< no lane: "asynchronous copy"
  bool ordered = false;    ///< orders itself with atomics
  std::vector<Site> callers = {};  ///< who asked for it, if no lane did it
  std::uint64_t beside = 0;                  ///< launch that ran when another host thread asked for it; 0: none
  std::uint64_t turn = 0;                    ///< the later one's is higher
  bool in_part = false;  ///< more of it may be pending than is known
};

/// One access that stands for those of a line.
struct PendingAccess {
  Work const* work = nullptr;
  std::uint64_t league = 0;
  Site site{};
  std::uint16_t lane = 0;
  std::uint8_t byte = 0;  ///< of the line: the first that it touched
  bool knows_lane = true;
  /// Of two of one launch, in one line.
  bool is_before(PendingAccess const& other) const {
    return std::tie(league, byte, lane) < std::tie(other.league, other.byte, other.lane);
  }
};

/// What an instance has pending in one line.
struct Footprint {
  Mask written = 0, read = 0, atomic_written = 0, atomic_read = 0;
  PendingAccess write, reader;

  /// Bytes that conflict with an access of these bytes, and whether they were written.
  Mask conflict(Mask bytes, bool writes, bool atomic, bool& theirs_writes) const {
    Mask const w = bytes & (written | (atomic ? 0 : atomic_written));
    theirs_writes = w != 0;
    if (w != 0 || !writes) return w;
    return bytes & (read | (atomic ? 0 : atomic_read));
  }
  bool empty() const { return write.work == nullptr && reader.work == nullptr; }
  /// What else was done there.
  void add(Footprint const& other);
};

/// Footprints by line. Those of a stretch of memory lie side by side: whoever comes to one comes to its neighbours, mostly.
class FootprintTable {
 public:
  /// An empty one, if there was none.
  Footprint& operator[](std::uintptr_t line) { return of_stretch(line / lines)[line % lines]; }
  /// nullptr: nothing was done there.
  Footprint const* find(std::uintptr_t line) const {
    auto const stretch = m_stretches.find(line / lines);
    if (stretch == m_stretches.end()) return nullptr;
    Footprint const& there = (*stretch->second)[line % lines];
    return there.empty() ? nullptr : &there;
  }
  bool empty() const { return m_stretches.empty(); }
  /// Takes what was done later.
  void add(FootprintTable&& later);

 private:
  static constexpr std::size_t lines = 64;
  using Stretch = std::array<Footprint, lines>;
  Stretch& of_stretch(std::uintptr_t stretch);

  std::unordered_map<std::uintptr_t, std::unique_ptr<Stretch>> m_stretches;
  std::uintptr_t m_latest = ~std::uintptr_t{0};  ///< came to so: the stretch, and what it has
  Stretch* m_of_latest = nullptr;
};

struct HostRange {
  std::uintptr_t begin, end;
  PendingAccess access;
  bool writes;
};

/// Where in an allocation lines have been touched: from the first to the last of them.
struct Extent {
  std::uintptr_t written_from = ~std::uintptr_t{0}, written_to = 0, read_from = ~std::uintptr_t{0}, read_to = 0;
  void add(std::uintptr_t line, bool writes);
  void add(Extent const& other);
  bool may_meet(std::uintptr_t first_line, std::uintptr_t last_line, bool writes) const;
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
    if (other == instance) return true;
    return node != nullptr && (other == node->of || other == node->instance || node->before.contains(other));
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

/// The bytes of [begin, end) that lie in the line.
Mask mask_of(std::uintptr_t line, std::uintptr_t begin, std::uintptr_t end);

/// Where two meet: at a byte whose accessor is known, if there is one. `lane_known`: there is.
std::uintptr_t meeting_place(std::uintptr_t line, Mask bytes, PendingAccess const& theirs, bool& lane_known);

AccessKind kind_of(bool writes, bool atomic);
std::string kernel_text(Work const& work);
Side side_of(PendingAccess const& access, bool writes, bool atomic, bool lane_known, bool name_kernel);
Data data_at(std::uintptr_t address, std::uint32_t bytes);
std::uint64_t data_key(std::uintptr_t address);

}  // namespace teamsan::detect
