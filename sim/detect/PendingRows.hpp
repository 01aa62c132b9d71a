// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch that arithmetic decided (machine/DecidedLaunch.hpp) has pending in its instance: the rows that its lanes went
/// over, in place of a footprint for each line, which are made of them where somebody asks.
///
/// Only rows of which each lane is known to make each access are kept so. Of a launch with others nobody could tell later which
/// bytes are pending: its lanes are checked one by one, as are those of one that may come to what another instance has pending.
#pragma once

#include "../machine/DecidedLaunch.hpp"
#include "PendingWork.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan::detect {

class LaunchWords;

/// One access of all lanes.
struct PendingRow {
  struct Way {
    std::uint64_t stride = 0, count = 1;
    unsigned dimension = 0;  ///< of the launch's indices
    bool backwards = false;  ///< the last index lies first
    bool operator==(Way const&) const = default;
  };
  std::uintptr_t begin = 0, end = 0;
  std::uint64_t bytes = 0;
  std::vector<Way> ways;  ///< the longest first; none with one place
  bool writes = false, atomic = false;
  Site site{};
  bool operator==(PendingRow const&) const = default;
};

class PendingRows {
 public:
  /// Nothing: rows are not that well known. `first_block`: what the launch's first block did, of which the instructions are.
  static std::optional<PendingRows> of(LaneRows const& rows, LaunchFacts const& facts, LaunchWords const& first_block);

  void set_work(Work const* work) { m_work = work; }
  Work const* work() const { return m_work; }
  std::vector<PendingRow> const& rows() const { return m_rows; }
  /// Another launch went over the same.
  bool is_like(PendingRows const& other) const {
    return m_knows_lanes == other.m_knows_lanes && are_same(m_indices, other.m_indices) && m_rows == other.m_rows;
  }

  /// Might an access of some of these bytes conflict?
  bool may_meet(std::uintptr_t begin, std::uintptr_t end, bool writes, bool atomic) const;
  /// To one that is empty: what there is of that line. True: there is something.
  bool add_to(Footprint& footprint, std::uintptr_t line) const;

 private:
  struct Touch;
  using Iteration = std::array<std::uint64_t, Indices::most>;  ///< counted from the first one, by dimension
  void set_lane(PendingAccess& access, Iteration const& iteration) const;
  Touch touch(PendingRow const& row, std::uintptr_t line) const;

  std::vector<PendingRow> m_rows;
  std::uintptr_t m_begin = ~std::uintptr_t{0}, m_end = 0;
  Indices m_indices;
  bool m_knows_lanes = false;  ///< of a block each has one iteration, numbered as m_indices say
  Work const* m_work = nullptr;
};

}  // namespace teamsan::detect
