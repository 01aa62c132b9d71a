// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every byte that a kernel's lanes touch, in which order each lane does so, and at which meetings it was before.
#pragma once

#include "Case.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace property::bytes {

enum class Flavour : std::uint8_t { read, write, atomic_read, atomic_write, atomic_perhaps };
inline constexpr int flavours = 5;
inline bool is_atomic(Flavour f) { return f >= Flavour::atomic_read; }
inline bool may_write(Flavour f) { return f != Flavour::read && f != Flavour::atomic_read; }

/// One access by one lane.
struct Deal {
  std::uint32_t team = 0, lane = 0, thread = 0;
  std::uint32_t epoch = 0;  ///< meetings of the team before
  std::uint32_t turn = 0;   ///< meetings of the thread before
  int slot = 0;
  Flavour flavour = Flavour::read;
  bool reads_value = false;  ///< what it does hangs on what was there
  bool uniform = false;      ///< all vector lanes of the thread do the same
  int array = 0;
  std::int64_t offset = 0;  ///< of the array's (an alias' owner's) bytes
  std::int32_t bytes = 0;  ///< 0: the lane throws
};

/// Launches of the simulated GPU that the kernel is: a scan of several blocks whose items touch memory in either pass is two.
int launches(Kernel const& kernel);
/// Calls `each` for every access of that launch of the kernel, of each lane in its order.
void for_each_deal(Case const& c, Kernel const& kernel, int launch, std::function<void(Deal const&)> const& each);

}  // namespace property::bytes
