// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A flow of control that is not running: where its stack stands. What the processor keeps for a function across a call lies
/// at that place, in the layout that sim/gdb/focus.py knows; `__teamsan_switch` saves one and goes on with another.
#pragma once

#include <cstdint>

namespace teamsan {

struct Context;  ///< the lowest address of what was saved

/// Who went on with a context, as seen from there: what was left for it, and a word for it.
struct Transfer {
  Context* left;
  void* data;
};

/// Leaves the caller and goes on with `to`, which is used up. Returns when somebody goes on with the caller.
extern "C" Transfer __teamsan_switch(Context* to, void* data) noexcept;

/// Of a stack that ends at `stack_end`: going on with it calls `entry`, which does not return. Rounding mode and the other
/// controls of floating-point arithmetic are the caller's.
Context* fresh_context(std::uintptr_t stack_end, void (*entry)(Transfer)) noexcept;

}  // namespace teamsan
