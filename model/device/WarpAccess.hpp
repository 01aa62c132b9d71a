// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One access of one warp: what its lanes ask for with one instruction. The input of the models in
/// SharedMemory.hpp and GlobalMemory.hpp; says nothing of where the access stands in the program.
#pragma once

#include <cstdint>
#include <span>

namespace teamsan::model {

enum class Operation : std::uint8_t { load, store, atomic };

/// What an atomic does, where that decides how a chip does it. Integer minima, maxima and bit operations are
/// taken to be like integer_add (not measured).
enum class AtomicKind : std::uint8_t { integer_add, floating_add, exchange, compare_exchange };

/// The widest warp that the models take (an AMD wavefront).
inline constexpr std::uint32_t max_warp_width = 64;

/// Nothing is copied: `addresses` must live as long as this.
struct WarpAccess {
  Operation operation;
  std::uint32_t bytes_per_lane;  ///< 1, 2, 4, 8 or 16
  std::uint64_t active;          ///< bit l: lane l takes part; bits of lanes without address are ignored
  std::span<std::uint64_t const> addresses;  ///< by lane, in bytes; those of inactive lanes are not looked at
  AtomicKind atomic = AtomicKind::integer_add;  ///< looked at if the operation is an atomic
};

}  // namespace teamsan::model
