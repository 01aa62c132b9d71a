// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How much the lanes of a launch access: counted in a few teams across its league, so that a sum over a league whose teams do
/// unequal work is near. What a budget and shards are dealt out by (host/LaunchCost.hpp). Counts hang on what lanes do alone.
#pragma once

#include <atomic>
#include <cstdint>

namespace teamsan {

class LaunchWeight {
 public:
  /// An atomic takes as long as so many plain accesses.
  static constexpr std::uint64_t accesses_of_atomic = 8;

  /// Is the team one of those?
  static bool counts(std::uint64_t league_rank, std::uint64_t league_size) {
    return league_rank == 0 || league_rank == league_size / 4 || league_rank == league_size / 2 ||
           league_rank == league_size / 4 * 3 || league_rank + 1 == league_size;
  }
  /// By any worker.
  void add(std::uint64_t accesses, std::uint64_t lanes) {
    m_accesses.fetch_add(accesses, std::memory_order_relaxed);
    m_lanes.fetch_add(lanes, std::memory_order_relaxed);
  }
  /// What was found, as often as it was: telling two lanes apart takes longer than many accesses.
  void add_found(std::uint64_t times) { m_found += times; }
  std::uint64_t found() const { return m_found; }
  std::uint64_t accesses() const { return m_accesses.load(std::memory_order_relaxed); }
  std::uint64_t lanes() const { return m_lanes.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> m_accesses{0}, m_lanes{0};
  std::uint64_t m_found = 0;  ///< once its teams have ended
};

}  // namespace teamsan
