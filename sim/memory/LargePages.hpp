// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Memory that is about to be written from end to end, and that has no pages yet, as that of a View which is made or grown:
/// where it has room for whole large pages it gets those, one for what would be 512 page faults, and the pages of the rest by a
/// call for all of them, at half of what their faults would cost. Nothing else comes to be touched: it takes no more memory
/// for that, and what is handed back later is handed back as ever. Where the system has none to give, or does not know how,
/// all goes on without them.
#pragma once

#include "../base/Arena.hpp"
#include "../base/Pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace teamsan::large_pages {

namespace detail {

inline constexpr std::uintptr_t large = std::uintptr_t{2} << 20;

inline bool has_none(std::uintptr_t at) {
  unsigned char there = 1;
  return ::mincore(reinterpret_cast<void*>(at & ~(page_bytes() - 1)), 1, &there) == 0 && (there & 1) == 0;
}

/// Of whole large pages; false: some have to come to be one by one.
inline bool take_large(std::uintptr_t first, std::uintptr_t last) {
  constexpr int collapse = 25;  // MADV_COLLAPSE, Linux 6.1
  static constinit std::atomic<bool> to_be_had{true};
  for (std::uintptr_t at = first; at < last && to_be_had.load(std::memory_order_relaxed); at += large) {
    std::uintptr_t const run = at;  // by one call: each waits for all processors
    for (; at < last && has_none(at + large / 2); at += large)  // one page is what the others are put beside
      __atomic_fetch_or(reinterpret_cast<std::uint64_t*>(at + large / 2), 0, __ATOMIC_RELAXED);
    if (at != run && ::madvise(reinterpret_cast<void*>(run), at - run, collapse) != 0)
      to_be_had.store(false, std::memory_order_relaxed);
  }
  return to_be_had.load(std::memory_order_relaxed);
}

/// The page in the middle stands for the others: asking for pages that are there takes as long as writing to them.
inline void take_small(std::uintptr_t begin, std::uintptr_t end) {
  constexpr int populate = 23;  // MADV_POPULATE_WRITE, Linux 5.14
  constexpr std::size_t few = std::size_t{32} << 10;
  static constinit std::atomic<bool> to_be_had{true};
  if (end < begin + few || !to_be_had.load(std::memory_order_relaxed)) return;
  AddressRange const pages = arena::whole_pages(begin, end - begin);
  if (pages.bytes() < few || !has_none(pages.begin + pages.bytes() / 2)) return;
  if (::madvise(reinterpret_cast<void*>(pages.begin), pages.bytes(), populate) != 0)
    to_be_had.store(false, std::memory_order_relaxed);
}

}  // namespace detail

inline void take(std::uintptr_t begin, std::size_t bytes) {
  constexpr std::uintptr_t large = detail::large;
  std::uintptr_t const end = begin + bytes;
  std::uintptr_t const first = std::min(end, (begin + large - 1) / large * large), last = std::max(first, end / large * large);
  detail::take_small(begin, first);
  if (!detail::take_large(first, last))
    for (std::uintptr_t at = first; at != last; at += large) detail::take_small(at, at + large);
  detail::take_small(last, end);
}

}  // namespace teamsan::large_pages
