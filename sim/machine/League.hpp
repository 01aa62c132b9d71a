// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs the teams of one launch on the worker threads, each when its turn has come.
#pragma once

#include "Expected.hpp"

namespace teamsan {

struct LaunchState;

/// Returns when all teams are done and committed.
void run_league(LaunchState& launch, Expected expected);

/// Called on each worker thread before it runs the first team of a launch, and after the last one
/// (Kokkos' thread-local View tracking is switched here).
struct ThreadHooks {
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
};
void set_thread_hooks(ThreadHooks hooks);

}  // namespace teamsan
