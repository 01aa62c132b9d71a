// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchThreads.hpp"

#include "../base/Options.hpp"
#include "../base/Workers.hpp"
#include "../findings/Collector.hpp"
#include "Threads.hpp"

#include <fmt/format.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

/// Beside the program's own arenas. Never destroyed: the program's destructors may launch. Where there are more workers than
/// teams are given to, so many have an arena of their own: in the large one, threads that find nothing keep those that are to
/// come from coming soon.
tbb::task_arena& threads_for(unsigned workers) {
  constexpr unsigned most_of_few = LaunchThreads::most_for_teams;
  static auto& all = *new tbb::task_arena(static_cast<int>(LaunchThreads::most()));
  static auto& few = LaunchThreads::most() <= most_of_few ? all : *new tbb::task_arena(most_of_few);
  return workers <= most_of_few ? few : all;
}

}  // namespace

unsigned LaunchThreads::most() {
  static unsigned const n = [] {
    unsigned const wanted = options().deterministic ? 1 : options().num_threads ? options().num_threads : default_workers();
    unsigned const had = threads_to_be_had(wanted);
    if (had < wanted)
      Collector::instance().note(fmt::format("the system gives no more threads: {} of {} workers ran", had, wanted));
    return had;
  }();
  return n;
}

void LaunchThreads::run(unsigned workers, std::function<void()> const& here, std::function<void()> const& beside) {
  // What the program's thread asked others for, and may come to do itself.
  auto const other = [&] {
    static thread_local bool const asked = [&] {
      if (std::this_thread::get_id() != m_launcher) run_on_given_cpus();
      return true;
    }();
    static_cast<void>(asked);
    beside();
  };
#ifdef __SANITIZE_THREAD__  // it does not see how TBB hands tasks on
  std::vector<std::jthread> others;
  for (unsigned i = 1; i != workers; ++i) others.emplace_back(other);
  here();
#else
  constexpr auto parallelism = tbb::global_control::max_allowed_parallelism;
  std::optional<tbb::global_control> more;  // never fewer than the program has, and for this launch only
  // The arena asks for all of them at its beginning, however few this launch takes.
  if (most() > tbb::global_control::active_value(parallelism)) more.emplace(parallelism, most());
  tbb::task_group group;
  std::function<void()> const call = [&] {
    threads_for(workers).execute([&] {
      for (unsigned i = 1; i != workers; ++i) group.run(other);
    });
  };
  if (m_short) {
    m_call_others = &call;
    m_begun = std::chrono::steady_clock::now();
  } else {
    call();
  }
  here();
  if (std::exchange(m_call_others, nullptr) == nullptr) threads_for(workers).execute([&] { group.wait(); });
#endif
}

void LaunchThreads::call_in_time(std::uint64_t begun, std::uint64_t all) {
  constexpr std::chrono::microseconds soon{30}, worth_it{30};
  auto const lasted = std::chrono::steady_clock::now() - m_begun;
  if (lasted < soon || begun >= all || lasted * (all - begun) / std::max<std::uint64_t>(begun, 1) < worth_it) return;
  (*std::exchange(m_call_others, nullptr))();
}

}  // namespace teamsan
