// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A flat launch of which arithmetic shows, before its lanes run, that no check would find anything: where every access of
/// its lanes lies at a place that is an affine function of the iteration's index (entry/pass/gcc/LaneAccesses.cpp), which
/// lanes touch what is known from the functor's bytes. Then its plain bodies run in place of the checked ones.
///
/// It is decided if all of these hold, else its lanes are checked one by one, as without: a maybe is no yes.
///   - No index wraps around: each value of fewer than 64 bits stays what it is for all iterations.
///   - Each access lies, from the first iteration to the last, in one live allocation of device memory that the kernel may
///     touch, and is aligned.
///   - No two lanes meet: of a store and any other access, itself included, the memory is apart over the whole launch, or
///     both go on by the same distance, so far that no lane comes to another one's bytes.
///   - What is loaded has been written, all of it, before the launch; so has what is stored to by some lanes alone.
/// Of such a launch nothing is left for later ones but which memory it has written: leave() says that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {

/// What lanes access, in the words of entry/pass/Abi.h, and what that hangs on. `index` is the first iteration's.
struct LaneAccesses {
  unsigned long long const* words = nullptr;  ///< nullptr: it is not known
  void const* functor = nullptr;
  std::int64_t index = 0;
};

class DecidedLaunch {
 public:
  /// So many lanes, whose indices are counted by one from the first. Nothing: they are to be checked. Allocations are held.
  static std::optional<DecidedLaunch> of(LaneAccesses const& accesses, std::uint64_t lanes, std::uint32_t context);

  /// All its lanes have run.
  void leave() const;

  /// One access of all lanes: `bytes` at `first`, and so on by `step` up to the last lane. [begin, end) is all of that.
  struct Row {
    std::uintptr_t begin, end, first;
    std::int64_t step;
    std::uint32_t bytes;
    bool stores, conditional;
    /// Of memory between begin and end no byte is left out.
    bool is_dense() const { return step == bytes || -step == bytes; }
  };
  /// No lane's access of the one kind shares a byte with another lane's of the other.
  static bool are_apart(Row const& a, Row const& b);

 private:
  std::uint64_t m_lanes = 0;
  std::vector<Row> m_stores;  ///< to memory of which not all was written
};

}  // namespace teamsan
