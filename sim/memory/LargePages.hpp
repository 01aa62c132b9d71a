// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that is about to be written from end to end, and that has no pages yet, as that of a View which is made or grown:
/// where it has room for whole large pages it gets those, one for what would be 512 page faults. Nothing else comes to be
/// touched: it takes no more memory for that, and what is handed back later is handed back as ever. Where the system has none
/// to give, or does not know how, all goes on without them.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace teamsan::large_pages {

inline void take(std::uintptr_t begin, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  constexpr int collapse = 25;  // MADV_COLLAPSE, Linux 6.1
  static constinit std::atomic<bool> to_be_had{true};
  std::uintptr_t const first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  auto const has_none = [](std::uintptr_t at) {
    unsigned char there = 1;
    return ::mincore(reinterpret_cast<void*>(at + page / 2), 1, &there) == 0 && (there & 1) == 0;
  };
  for (std::uintptr_t at = first; at < last && to_be_had.load(std::memory_order_relaxed); at += page) {
    std::uintptr_t const run = at;  // by one call: each waits for all processors
    for (; at < last && has_none(at); at += page)  // one page is what the others are put beside
      __atomic_fetch_or(reinterpret_cast<std::uint64_t*>(at + page / 2), 0, __ATOMIC_RELAXED);
    if (at != run && ::madvise(reinterpret_cast<void*>(run), at - run, collapse) != 0)
      to_be_had.store(false, std::memory_order_relaxed);
  }
}

}  // namespace teamsan::large_pages
