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
///     both go on by the same distances, so far that no lane comes to another one's bytes, or by multiples of one distance, in
///     which each has a part of its own.
///   - What is loaded has been written, all of it, before the launch; so has what is stored to by some lanes alone.
/// Where an address is known by bounds alone (LaneValues.hpp: indices that are looked up in memory, counters of loops), all
/// this holds of all that lies between, in each lane; and no store touches memory that was read for these bounds.
/// Of such a launch nothing is left for later ones but which memory it has written: leave() says that.
#pragma once

#include "../base/LaunchConfig.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {

/// What lanes access, in the words of entry/pass/Abi.h, and what that hangs on.
struct LaneAccesses {
  unsigned long long const* words = nullptr;  ///< nullptr: it is not known
  void const* functor = nullptr;
};

class DecidedLaunch {
 public:
  /// All iterations that have these indices. Nothing: they are to be checked. Allocations are held.
  static std::optional<DecidedLaunch> of(LaneAccesses const& accesses, Indices const& indices, std::uint32_t context);

  /// All its lanes have run.
  void leave() const;

  /// One dimension of an access of all lanes: so many, by `step` bytes from one to the next. Those of one lane have no step.
  struct Way {
    std::int64_t step = 0;
    std::uint64_t count = 1;
    std::uint64_t stride() const { return step < 0 ? -static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step); }
    bool operator==(Way const&) const = default;
  };
  using Ways = std::array<Way, Indices::most>;
  /// One access of all lanes: some of the `bytes` at `first`, and so on. [begin, end) is all of that.
  struct Row {
    std::uintptr_t begin = 0, end = 0, first = 0;
    Ways ways;  ///< in any order
    std::uint64_t bytes = 0;
    bool stores = false, conditional = false;
  };
  /// No lane's access of the one kind shares a byte with another lane's of the other. `ways` of both are of the same
  /// dimensions, one by one.
  static bool are_apart(Row const& a, Row const& b);

 private:
  std::vector<Row> m_stores;  ///< to memory of which not all was written
};

}  // namespace teamsan
