// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is pending of a line of 64 bytes: which of its bytes somebody's work has touched, and one access that stands for all.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/LaunchConfig.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

/// A bit per byte of a line.
using Mask = std::uint64_t;

/// The bytes of [begin, end) that lie in the line.
Mask mask_of(std::uintptr_t line, std::uintptr_t begin, std::uintptr_t end);

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

  /// Which of some bytes conflict with an access of them, and with what.
  struct Conflict {
    Mask bytes = 0;  ///< 0: nothing does
    bool writes = false, atomic = false;
    PendingAccess const* with = nullptr;
  };
  Conflict conflict(Mask bytes, bool writes, bool atomic) const;
  bool empty() const { return write.work == nullptr && reader.work == nullptr; }
  /// What else was done there.
  void add(Footprint const& other);
  /// Behind what else its launch did there: the bytes of `mask`.
  void add(PendingAccess const& access, Mask mask, bool writes, bool atomic) {
    Mask& plain = writes ? written : read;
    PendingAccess& stands = writes ? write : reader;
    // The first one stands for all, or the first plain one.
    if (stands.work != access.work || (!atomic && plain == 0)) stands = access;
    (!atomic ? plain : writes ? atomic_written : atomic_read) |= mask;
  }
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

/// Where in an allocation lines have been touched: from the first to the last of them.
struct Extent {
  std::uintptr_t written_from = ~std::uintptr_t{0}, written_to = 0, read_from = ~std::uintptr_t{0}, read_to = 0;
  void add(std::uintptr_t line, bool writes);
  void add(Extent const& other);
  bool may_meet(std::uintptr_t first_line, std::uintptr_t last_line, bool writes) const;
};

}  // namespace teamsan::detect
