// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Arena.hpp"

#include "ExitStatus.hpp"
#include "Pages.hpp"
#include "ScratchSlots.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <sys/mman.h>

namespace teamsan::arena {

namespace {

/// What lies in the arena's range before it is reserved, as /proc/self/maps has it; empty: nothing, or it cannot be read.
std::string first_in_the_range() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx", &from, &to) == 2 && from < end && to > base) return line;
  }
  return {};
}

/// Does the system count memory that is only reserved, too?
bool commits_all_memory() {
  int mode = 0;
  std::ifstream("/proc/sys/vm/overcommit_memory") >> mode;
  return mode == 2;
}

[[noreturn]] void cannot_reserve(std::size_t bytes, int error) {
  std::fprintf(stderr, "teamsan: could not reserve %zu GiB of address space at %#zx (%s); ", bytes / GiB,
               static_cast<std::size_t>(base), std::strerror(error));
  if (std::string const there = error == EEXIST ? first_in_the_range() : ""; !there.empty())
    std::fprintf(stderr, "something lies there already: \"%s\"; addresses that the program or a library asks for must lie "
                 "elsewhere\n", there.c_str());
  else if (commits_all_memory())
    std::fputs(
        "the system promises no more memory than it has (vm.overcommit_memory is 2), where 0 or 1 is needed: no memory "
        "is used by the reservation itself\n",
        stderr);
  else
    std::fputs("a limit on virtual memory (ulimit -v) must be lifted, no memory is used by the reservation itself\n",
               stderr);
  std::_Exit(exit_tool_failure);
}

/// If something lies there already, a lane that comes there touches that, or crashes.
void reserve_front() {
  void* const at = mmap(reinterpret_cast<void*>(front), front_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (at == MAP_FAILED) return;
  if (at == reinterpret_cast<void*>(front))
    madvise(at, front_bytes, MADV_DONTDUMP);
  else
    munmap(at, front_bytes);  // a kernel that does not know MAP_FIXED_NOREPLACE
}

void reserve_once() {
  std::size_t const bytes = end - base;
  void* const at = mmap(reinterpret_cast<void*>(base), bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (at != reinterpret_cast<void*>(base)) cannot_reserve(bytes, errno);
  // Sparse by nature: a huge page would hold mostly nothing.
  madvise(reinterpret_cast<void*>(scratch), global_cells - scratch, MADV_NOHUGEPAGE);
  madvise(reinterpret_cast<void*>(scratch_cells), end - scratch_cells, MADV_NOHUGEPAGE);
  // A core file holds what is in use, see keep_in_core_files; written out in full it would be as large as the range.
  madvise(reinterpret_cast<void*>(base), bytes, MADV_DONTDUMP);
  for (std::uint32_t rank = 0; rank != scratch_slots; ++rank)
    keep_in_core_files(scratch + scratch_slots::of_team(rank) * scratch_slot_bytes, scratch_kept_in_core_files);
  reserve_front();
}

}  // namespace

void reserve() {
  static std::once_flag once;
  std::call_once(once, reserve_once);
}

void keep_in_core_files(std::uintptr_t begin, std::size_t bytes) {
  std::uintptr_t const first = begin & ~(page_bytes() - 1);
  madvise(reinterpret_cast<void*>(first), begin + bytes - first, MADV_DODUMP);
}

void leave_out_of_core_files(std::uintptr_t begin, std::size_t bytes) {
  AddressRange const pages = whole_pages(begin, bytes);
  madvise(reinterpret_cast<void*>(pages.begin), pages.bytes(), MADV_DONTDUMP);
}

AddressRange whole_pages(std::uintptr_t begin, std::size_t bytes) {
  std::size_t const page = page_bytes();
  std::uintptr_t const first = (begin + page - 1) & ~(page - 1);
  return {first, std::max(first, (begin + bytes) & ~(page - 1))};
}

void discard(std::uintptr_t begin, std::size_t bytes) {
  AddressRange const pages = whole_pages(begin, bytes);
  if (pages.bytes() != 0) madvise(reinterpret_cast<void*>(pages.begin), pages.bytes(), MADV_DONTNEED);
}

}  // namespace teamsan::arena
