/// The threads that run teams beside the one that launches: TeamSan's own, which the program's thread pools know nothing of.
/// They sleep between launches and stay until the process ends. A child that fork made begins with none.
#pragma once

#include <functional>

namespace teamsan {

/// Calls `work` on the calling thread and on up to `others` more at a time. Returns when all calls have; a thread that has
/// not woken by the time the caller's own call returns is not waited for, and does not call. One launch at a time.
void run_on_workers(unsigned others, std::function<void()> const& work);

/// The processors that this process may use.
unsigned available_processors() noexcept;

}  // namespace teamsan
