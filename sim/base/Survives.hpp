// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Code that may crash and must not end the program: what reads a damaged stack or heap.
#pragma once

#include <csetjmp>

namespace teamsan {

/// Where a fatal signal of this thread goes on (FatalSignals.cpp); nullptr: it is a crash.
extern thread_local constinit sigjmp_buf* recovery;

/// Calls `f`. False if a fatal signal cut it off: its objects are not destroyed then, and what it changed stays as it was.
template <class F>
[[gnu::noinline]] bool survives(F const& f) {
  sigjmp_buf here;
  sigjmp_buf* const outer = recovery;
  if (sigsetjmp(here, 0) != 0) {
    recovery = outer;
    return false;
  }
  recovery = &here;
  f();
  recovery = outer;
  return true;
}

}  // namespace teamsan
