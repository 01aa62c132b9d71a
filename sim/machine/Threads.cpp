// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Threads.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

namespace teamsan {

unsigned threads_to_be_had(unsigned workers) noexcept {
  if (workers <= 1) return 1;
  constexpr std::size_t stack_bytes = std::size_t{256} << 10;  // thread-local variables lie on it too
  std::unique_ptr<pthread_t[]> const threads(new (std::nothrow) pthread_t[workers]);
  pthread_attr_t attributes;
  if (threads == nullptr || pthread_attr_init(&attributes) != 0) return 1;
  pthread_attr_setstacksize(&attributes, stack_bytes);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the program's handlers must not run there
  std::mutex until_all_are_there;
  until_all_are_there.lock();
  constexpr auto wait = [](void* mutex) -> void* {
    std::lock_guard const lock(*static_cast<std::mutex*>(mutex));
    return nullptr;
  };
  unsigned made = 0;  // the workers besides the caller, and one for reports
  while (made != workers && pthread_create(&threads[made], &attributes, wait, &until_all_are_there) == 0) ++made;
  until_all_are_there.unlock();
  for (unsigned i = 0; i != made; ++i) pthread_join(threads[i], nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return std::max(std::min(made, workers), 1u);
}

}  // namespace teamsan
