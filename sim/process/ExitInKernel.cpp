// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExitInKernel.hpp"

#include "../memory/Hot.hpp"
#include "Processes.hpp"

#include <csignal>
#include <cstdlib>
#include <dlfcn.h>

namespace teamsan {

namespace {

thread_local constinit EndByLane asked;

[[noreturn]] void call_next(char const* function, int status) {
  if (auto const next = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, function))) next(status);
  std::abort();
}

}  // namespace

// The handler of fatal signals does the rest, on a stack that is large enough.
void end_by_lane(char const* function, int status) noexcept {
  if (hot.lane == nullptr || hot.in_runtime != 0 || process_is_forked()) return;
  asked = {function, status & 0xff};
  std::raise(SIGABRT);
  asked = {};  // the program has a handler of its own, which did not end it
}

EndByLane end_asked_by_lane() noexcept { return asked; }

}  // namespace teamsan

#pragma GCC visibility push(default)
extern "C" {

void exit(int status) noexcept {
  teamsan::end_by_lane("exit", status);
  teamsan::call_next("exit", status);
}

void quick_exit(int status) noexcept {
  teamsan::end_by_lane("quick_exit", status);
  teamsan::call_next("quick_exit", status);
}
}
#pragma GCC visibility pop
