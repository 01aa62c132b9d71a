// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// --shard I/N --by REPORT: whole launches, each checked by one of N runs, so that all have about the same to check. Each run
/// deals them out by itself, in the order of the program and by the costs that the report knows: all come to the same.
#pragma once

#include <cstdint>
#include <vector>

namespace teamsan {

class DealtLaunches {
 public:
  explicit DealtLaunches(std::uint32_t shards) : m_loads(shards, 0) {}

  /// The program's next launch: which shard checks it, from 0? The one that has least so far.
  std::uint32_t deal(std::uint64_t checking_cost);

 private:
  std::vector<std::uint64_t> m_loads;
};

}  // namespace teamsan
