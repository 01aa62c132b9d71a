/// The launch on the machine, for a program that ends in the middle of it: what its teams have found until then is told.
#pragma once

#include <string>

namespace teamsan {

class CommitQueue;
struct LaunchState;

/// As long as it lives, tell_running_launch() knows the launch.
class RunningLaunch {
 public:
  RunningLaunch(LaunchState const& launch, CommitQueue& queue);
  ~RunningLaunch();
  RunningLaunch(RunningLaunch const&) = delete;
  RunningLaunch& operator=(RunningLaunch const&) = delete;
};

/// Hands what the running launch's teams have found so far to the collector, from any thread; takes seconds at most. Gives
/// the kernel's label; empty: no launch runs, or it has told all by itself.
std::string tell_running_launch();

}  // namespace teamsan
