// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The launch on the machine, for a program that ends in the middle of it: what its teams have found until then is told.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace teamsan {

class CommitQueue;
struct LaunchState;

/// As long as it lives, report_running_launch() knows the launch.
class RunningLaunch {
 public:
  RunningLaunch(LaunchState const& launch, CommitQueue& queue);
  ~RunningLaunch();
  RunningLaunch(RunningLaunch const&) = delete;
  RunningLaunch& operator=(RunningLaunch const&) = delete;
};

/// Hands what the running launch's teams have found so far to the collector, from any thread; takes seconds at most. Gives
/// the kernel's label; empty: no launch runs, or it has reported all by itself. If there is one, or if the program ends from
/// outside (`cut_off`), no other launch begins from here on.
std::string report_running_launch(bool cut_off);

/// In a child that fork made: the launch is the parent's.
void leave_launch_to_parent() noexcept;

/// After report_running_launch(): the program goes on after all.
void let_launches_go_on();

/// The launch has been told of and the program is about to end: waits for that, or for let_launches_go_on().
void wait_for_the_end_of_the_program();

/// The number of the launch that runs; 0: none does, or somebody else is looking at it. Allocates nothing.
std::uint64_t running_launch() noexcept;

/// How far the running launch is.
struct LaunchProgress {
  std::string label;
  std::uint64_t number, teams, teams_done;  ///< done: with all before them
  std::chrono::steady_clock::duration time;
};
/// Nothing: no launch runs, or somebody else is looking at it.
std::optional<LaunchProgress> launch_progress();

}  // namespace teamsan
