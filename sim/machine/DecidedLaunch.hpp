// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A flat launch of which arithmetic shows, before its lanes run, that no check would find anything: where every access of
/// its lanes lies at a place that is an affine function of the iteration's indices (entry/pass/gcc/LaneAccesses.cpp), which
/// lanes touch what is known from the functor's bytes. Then its plain bodies run in place of the checked ones.
///
/// It is decided if all of these hold, else its lanes are checked one by one, as without: a maybe is no yes.
///   - No index with a sign wraps around: each value of fewer than 64 bits stays what it is for all iterations.
///   - Each access lies, from the first iteration to the last, in one live allocation of device memory that the kernel may
///     touch, and is aligned.
///   - No two lanes meet: of a store and any other access, itself included, the memory is apart over the whole launch, or
///     both go on by the same distances, so far that no lane comes to another one's bytes, however far apart one lane's own are
///     by loops, or by multiples of one distance, in which each has a part of its own, and by less than that.
///     Updates by relaxed atomics of one width may meet each other, and nothing else.
///     Where a place hangs on what a lane finds in a table (LookupTable.hpp), it is looked whether any two find the same there.
///   - What is loaded has been written, all of it, before the launch; so has what is stored to by some lanes alone.
/// Of an access under a condition that lets some indices through, the first row's and the last one's say not, the memory is
/// what these may touch.
/// Where an address is known by bounds alone (LaneValues.hpp: indices that are looked up in memory, counters of loops), all
/// this holds of all that lies between, in each lane; of what is only read, where not, of all that each lane by itself may
/// read. And no store touches memory that was read for these bounds.
/// Of such a launch nothing is left for later ones but which memory it has written: leave() says that.
#pragma once

#include "../base/LaunchConfig.hpp"
#include "../base/WhyChecked.hpp"
#include "LaneAccesses.hpp"
#include "LaneValues.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {

struct Allocation;

/// What all lanes of a launch access: whatever hangs on the functor's numbers, on the indices, and on what memory holds in
/// which indices are looked up.
class LaneRows {
 public:
  /// Nothing: not all of it is known, or two lanes may meet. Allocations are held.
  static std::optional<LaneRows> of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context,
                                    WhyChecked& why, LaneLooks* looks);

  /// One dimension of an access of all lanes: so many, by `step` bytes from one to the next. Those of one lane have no step.
  struct Way {
    std::int64_t step = 0;
    std::uint64_t count = 1;
    std::uint64_t stride() const { return step < 0 ? -static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step); }
    bool operator==(Way const&) const = default;
  };
  using Ways = std::array<Way, Indices::most>;
  /// One access of all lanes: `bytes` at `first`, and so on. [begin, end) is all of that, but for what conditions
  /// keep lanes from.
  struct Row {
    std::uintptr_t begin = 0, end = 0, first = 0;
    Ways ways;  ///< in any order
    std::array<std::uint64_t, Indices::most> counts{};  ///< of lanes that conditions do not keep from it
    Spreads spreads;  ///< one lane's accesses lie apart by these
    std::uint64_t slack = 0;  ///< of all of them
    std::uint64_t bytes = 0;
    bool stores = false, conditional = false;
    bool is_written = false;  ///< all that its lanes read there, as each was asked
    std::uint32_t updates = 0;  ///< by atomics of so many bytes, aligned so; 0: it is none
    std::uint32_t line = 0;   ///< of the source; 0: unknown
    std::uint32_t shares = 0;  ///< of what each lane finds in a table, by number; 0: none
    bool by_one = false;  ///< lane alone: the one with these indices
    std::array<std::int64_t, Indices::most> lane{};
  };
  /// No lane's access of the one kind shares a byte with another lane's of the other. `ways` of both are of the same
  /// dimensions, one by one.
  static bool are_apart(Row const& a, Row const& b);

  std::vector<Row> const& rows() const { return m_rows; }
  /// Are there updates that give something else in another order? Those by one instruction do not.
  bool hang_on_order() const { return m_hang_on_order; }
  /// Each lane was looked at for them.
  bool looked_at_lanes() const { return m_looked_at_lanes; }
  /// Is it as it was: are all allocations there, and is nothing else in what was read? Allocations are held.
  bool hold_still() const;

 private:
  static std::optional<LaneRows> of_lanes(LaneAccesses const& accesses, LaneIndices const& all_lanes, std::uint32_t context,
                                          WhyChecked& why, LaneLooks* looks);
  /// An allocation in which rows lie, or what was read for them.
  struct Place {
    Allocation const* allocation = nullptr;
    std::uint64_t serial = 0;
    bool is_read = false;
  };
  std::vector<Row> m_rows;
  std::vector<Place> m_places;
  bool m_hang_on_order = false, m_looked_at_lanes = false;
  std::uint64_t m_moment = 0;  ///< of device_writes, before anything was read
};

class DecidedLaunch {
 public:
  /// All iterations that have these indices. Nothing: they are to be checked. Allocations are held.
  static std::optional<DecidedLaunch> of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context);
  /// The same of what is known of them.
  static std::optional<DecidedLaunch> of(LaneRows const& rows, WhyChecked& why);

  /// All its lanes have run.
  void leave() const;

 private:
  std::vector<LaneRows::Row> m_stores;  ///< to memory of which not all was written
};

/// With what it was decided by.
struct DecidedRows {
  LaneRows rows;
  DecidedLaunch decided;
};

/// What arithmetic said of a launch, whose first team has told what lanes access. As new for each team.
struct Decision {
  std::optional<DecidedRows> decided;
  WhyChecked why_checked;
};

}  // namespace teamsan
