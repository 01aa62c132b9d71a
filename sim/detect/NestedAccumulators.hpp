// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lost-contribution, of nested reductions and scans (TeamThreadRange, ThreadVectorRange, TeamVectorRange): lanes of a launch's
/// first team reduce into memory that is looked at, each lane by itself. What its iterations before have left is kept, and
/// compared with what the next one makes of it; when something is lost, Accumulators.hpp says. In a scan each of a lane's
/// calls that add up finds a value that is as new: what the one before left stands for what a host's would find there.
///
/// Errs towards silence: where a lane makes one iteration alone nothing is told; nor of what constructs store but inner
/// reductions, nor of values of more than 256 bytes, nor of reductions more than two deep.
#pragma once

#include "Overwrites.hpp"
#include "../base/Access.hpp"
#include "../base/ReducedValue.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

class NestedAccumulators {
 public:
  /// For the lane, one of so many: room for its value, which is `initial`; nullptr: there is none.
  void* begin(std::uint32_t lane, std::uint32_t lanes, void const* initial, std::size_t bytes);
  void clear() {
    m_room.clear();
    m_lanes.clear();
  }
  bool watches(std::uintptr_t address) const {
    return address - reinterpret_cast<std::uintptr_t>(m_room.data()) < m_room.size();
  }

  /// An access of the running lane to one of the values. `result`: it is an inner reduction's.
  void note(Access const& access, bool result = false);
  /// The lane goes on to the next iteration of its innermost reduction.
  void next_iteration(std::uint32_t lane, void const* reducer, ReducedValueCalls const& calls);
  /// That has ended for the lane: makes the finding, if there is one.
  void end(Team& team, std::uint32_t lane, void const* reducer, ReducedValueCalls const& calls, bool of_scan);

 private:
  static constexpr std::size_t most_bytes = 256, most_deep = 2;

  struct Reduction {
    std::size_t bytes;
    Overwrites overwrites;
    ValueCopy initial, before;  ///< the iteration that runs
    bool lost_join = false;     ///< what a join would have kept
    bool lost_value = false;    ///< another value, of which a join is not the same again
  };
  std::byte* room_of(std::uint32_t lane, std::size_t depth) {
    return m_room.data() + (lane * most_deep + depth) * most_bytes;
  }
  void end_iteration(Reduction& reduction, void const* value, void const* reducer, ReducedValueCalls const& calls);

  struct alignas(most_bytes) Room {
    std::byte bytes[most_bytes];
  };
  /// Of lanes, by depth.
  class Rooms {
   public:
    std::byte* data() { return m_rooms.empty() ? nullptr : m_rooms.front().bytes; }
    std::byte const* data() const { return m_rooms.empty() ? nullptr : m_rooms.front().bytes; }
    std::size_t size() const { return m_rooms.size() * most_bytes; }
    void clear() { m_rooms.clear(); }
    void resize(std::size_t count) { m_rooms.resize(count); }

   private:
    std::vector<Room> m_rooms;
  };
  Rooms m_room;
  std::vector<std::vector<Reduction>> m_lanes;  ///< the reductions that each is in, outermost first
};

}  // namespace teamsan::detect
