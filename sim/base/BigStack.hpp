// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a function where there is stack enough for it. Lanes have small stacks of their own and signal
/// handlers an even smaller one; reading debug information and writing reports need more.
#pragma once

namespace teamsan {

/// Runs `function(argument)` and returns when it is done: at once when the caller stands on its thread's own
/// stack, else on a helper thread (or, when no thread can be had, on another stack). `always_apart` forces
/// the helper thread: a signal handler may have interrupted malloc, which another thread can still use.
void run_on_big_stack(void (*function)(void*), void* argument, bool always_apart = false) noexcept;

/// The same for anything callable.
template <class F>
void run_on_big_stack(F& function, bool always_apart = false) noexcept {
  run_on_big_stack([](void* f) { (*static_cast<F*>(f))(); }, &function, always_apart);
}

}  // namespace teamsan
