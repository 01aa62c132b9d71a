#include <teamsan/sim/machine/Interrupt.hpp>

#include <teamsan/sim/machine/Commit.hpp>
#include <teamsan/sim/runtime/Hot.hpp>

#include <chrono>
#include <mutex>
#include <unistd.h>

namespace teamsan {

namespace {

// Held as long as somebody looks at the launch: it does not go away meanwhile.
std::timed_mutex mutex;
LaunchState const* state = nullptr;
CommitQueue* queue = nullptr;
pid_t process = 0;  ///< a child that fork made in the middle of it has no part in it

}  // namespace

RunningLaunch::RunningLaunch(LaunchState const& running, CommitQueue& teams) {
  std::lock_guard const lock(mutex);
  state = &running;
  queue = &teams;
  process = ::getpid();
}

RunningLaunch::~RunningLaunch() {
  std::lock_guard const lock(mutex);
  queue = nullptr;
}

std::string tell_running_launch() {
  RuntimeScope const scope;
  std::unique_lock const lock(mutex, std::chrono::seconds(2));
  if (!lock.owns_lock() || queue == nullptr || process != ::getpid()) return {};
  return queue->tell_so_far() ? state->facts.config.label : std::string();
}

}  // namespace teamsan
