// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a lane runs: its fiber, what it has called there, and what of its stack is older than the range that it is in. As new
/// for each lane.
#pragma once

#include "Fiber.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace teamsan {

struct LaneStack {
  Fiber* fiber = nullptr;
  std::uintptr_t* call_top = nullptr;                ///< in fiber->calls; of the running lane Hot has it
  std::uintptr_t outer_frames = ~std::uintptr_t{0};  ///< see Hot, while it is in a nested range

  /// On that fiber, from its beginning.
  void begin_on(Fiber& of) { fiber = &of, call_top = of.calls; }
  bool owns(std::uintptr_t address) const { return address - fiber->stack_begin < fiber->stack_bytes; }
  bool owns(std::uintptr_t address, std::size_t bytes) const { return owns(address) && bytes <= fiber->stack_end() - address; }
  /// Call sites of the functions that it is in, outermost first, up to `top`; of very many the outer ones.
  std::span<std::uintptr_t const> calls(std::uintptr_t const* top) const {
    std::uintptr_t const* const bottom = fiber->calls;
    return {bottom, std::min(top, bottom + Fiber::call_depth)};
  }
};

}  // namespace teamsan
