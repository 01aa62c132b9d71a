// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The threads on which workers run the teams of one launch: the one that launches, and others of oneTBB's, in arenas beside
/// the program's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

namespace teamsan {

class LaunchThreads {
 public:
  /// `short_time`: the launch is likely to be over soon. Then the others are called once it has lasted for a while.
  explicit LaunchThreads(bool short_time) : m_short(short_time) {}

  /// So many workers there may be: as the options say, or fewer where the system gives no more threads.
  static unsigned most();
  /// Of a launch that is judged by teams: each worker takes new pages for its lanes' stacks and shadow, and with 64 of them a
  /// program's first launches took longer.
  static constexpr unsigned most_for_teams = 32;

  /// Calls `here` on this thread and `beside` on one less than so many others, two at least; returns when all have returned.
  void run(unsigned workers, std::function<void()> const& here, std::function<void()> const& beside);

  /// By this thread, while it runs teams: are the others still to be called?
  bool calls_later() const { return m_call_others != nullptr; }
  /// So many teams of all have begun. To wake the other workers takes as long as a small launch: they are called once this one
  /// has lasted for a while, and is likely to for as long again.
  void call_in_time(std::uint64_t begun, std::uint64_t all);

 private:
  bool m_short;
  std::thread::id const m_launcher = std::this_thread::get_id();
  std::function<void()> const* m_call_others = nullptr;  ///< nullptr: they are called, or came at once
  std::chrono::steady_clock::time_point m_begun;
};

}  // namespace teamsan
