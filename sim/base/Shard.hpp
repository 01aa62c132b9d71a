// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// --shard i/n: this run is one of n that share the checking of one program; together they find what one run would.
/// Every run executes everything. What is found within a team (scratch, barriers) is checked by the shard that the team
/// belongs to, what is found in device memory by the shard of the address's block, all teams' accesses to it included.
///
/// An access may reach from one block into the next, so a shard also records what happens in a margin around its blocks,
/// and judges the accesses that begin in one. A copy of more than `margin` bytes that leaves its block is not judged for
/// uninitialised reads.
/// Which bytes have been written every shard knows of all memory, since they may be copied from any block to any other.
#pragma once

#include "Arena.hpp"

#include <cstdint>

namespace teamsan {

struct Shard {
  static constexpr std::uintptr_t block_bytes = 4096, margin = 256;
  std::uint32_t index = 0;
  std::uint32_t count = 0;  ///< 0: the run checks everything
  /// While the first team of a launch runs, which decides how the launch is judged: all shards are to decide alike. And in
  /// launches that are asked what they do to sums which were cleared (host/ClearedSums.hpp), whichever blocks these lie in.
  bool all_of_device = false;

  bool on() const { return count != 0; }
  bool owns_team(std::uint64_t league_rank) const { return count == 0 || league_rank % count == index; }

  /// Device, shared or pinned memory, or the room in front of it: does this shard judge accesses that begin there?
  /// (Scratch goes by teams: true.)
  bool judges(std::uintptr_t address) const {
    std::uint64_t const mixed = address / block_bytes * 0x9e3779b97f4a7c15u >> 32;
    return count == 0 || address - arena::front >= arena::front_bytes + arena::global_bytes ||
           (mixed & 0xffffffff) * count >> 32 == index;
  }
  /// And does it have to know what happens there?
  bool records(std::uintptr_t address) const {
    if (judges(address) || (all_of_device && address - arena::device < arena::device_bytes)) return true;
    std::uintptr_t const in_block = address % block_bytes;
    return (in_block < margin && judges(address - margin)) || (in_block >= block_bytes - margin && judges(address + margin));
  }
  bool records_all(std::uintptr_t begin, std::size_t bytes) const {
    return count == 0 || (records(begin) && records(begin + bytes - 1) && bytes <= margin);
  }
};

/// Set before main, from the options.
extern constinit Shard shard;

}  // namespace teamsan
