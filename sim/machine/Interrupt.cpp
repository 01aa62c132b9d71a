// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Interrupt.hpp"

#include "../base/Screen.hpp"
#include "Commit.hpp"
#include "../memory/Hot.hpp"

#include <chrono>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace teamsan {

namespace {

// Held as long as somebody looks at the launch: it does not go away meanwhile.
std::timed_mutex mutex;
LaunchState const* state = nullptr;
CommitQueue* queue = nullptr;
pid_t process = 0;  ///< whose launch it is: a child of vfork, whose memory is its parent's, has no part in it
pid_t ending = 0;   ///< the process that is about to end
std::chrono::steady_clock::time_point begun;

}  // namespace

RunningLaunch::RunningLaunch(LaunchState const& running, CommitQueue& teams) {
  std::unique_lock lock(mutex);
  if (ending != 0 && ending == ::getpid()) {
    lock.unlock();
    wait_for_the_end_of_the_program();
    lock.lock();
  }
  state = &running;
  queue = &teams;
  begun = std::chrono::steady_clock::now();
  if (process == 0) process = ::getpid();  // a system call, which an empty launch would feel
}

RunningLaunch::~RunningLaunch() {
  {
    std::lock_guard const lock(mutex);
    queue = nullptr;
  }
  screen::clear();
}

std::string report_running_launch(bool cut_off) {
  RuntimeScope const scope;
  std::unique_lock const lock(mutex, std::chrono::seconds(2));
  if (!lock.owns_lock()) return {};
  bool const runs = queue != nullptr && process == ::getpid();
  if (runs || cut_off) ending = ::getpid();
  if (!runs) return {};
  return queue->report_so_far() ? state->facts.config.label : std::string();
}

std::optional<LaunchProgress> launch_progress() {
  std::unique_lock const lock(mutex, std::try_to_lock);
  if (!lock.owns_lock() || queue == nullptr) return {};
  LaunchFacts const& facts = state->facts;
  return LaunchProgress{facts.config.label, facts.number, facts.config.league_size, queue->teams_done(),
                        std::chrono::steady_clock::now() - begun};
}

std::uint64_t running_launch() noexcept {
  std::unique_lock const lock(mutex, std::try_to_lock);
  return lock.owns_lock() && queue != nullptr ? state->facts.number : 0;
}

void leave_launch_to_parent() noexcept {
  queue = nullptr;
  process = ::getpid();
}

void let_launches_go_on() {
  std::lock_guard const lock(mutex);
  ending = 0;
}

void wait_for_the_end_of_the_program() {
  constexpr int most_seconds = 90;  // the end has limits of its own
  for (int i = 0; i != most_seconds * 100; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::lock_guard const lock(mutex);
    if (ending != ::getpid()) return;
  }
}

}  // namespace teamsan
