// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The system's pages: 4 KiB on x86-64; 4, 16 or 64 KiB on aarch64.
#pragma once

#include <cstddef>
#include <sys/mman.h>
#include <unistd.h>

namespace teamsan {

inline std::size_t page_bytes() noexcept {
  static std::size_t const bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

/// So many bytes of zeros, of which pages that nobody needs are never there. nullptr: the system gives none.
inline void* zero_pages(std::size_t bytes) noexcept {
  void* const made = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return made != MAP_FAILED ? made : nullptr;
}
inline void give_back_pages(void* pages, std::size_t bytes) noexcept { ::munmap(pages, bytes); }

}  // namespace teamsan
