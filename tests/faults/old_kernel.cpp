// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that makes the kernel one before Linux 6.13: it has no light guard pages.
#include <cerrno>
#include <cstddef>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int madvise(void* address, std::size_t bytes, int advice) noexcept {
  constexpr int guard_install = 102;
  if (advice == guard_install) {
    errno = EINVAL;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_madvise, address, bytes, advice));
}
