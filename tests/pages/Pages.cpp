// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in front of the C library as a system whose pages have PAGE_BYTES, of which aarch64 has two: what is mapped begins and
// ends at one, and what is said of memory that does not begin at one is refused, as that system would. Preloaded.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr std::size_t page = PAGE_BYTES;

std::size_t whole(std::size_t bytes) { return (bytes + page - 1) & ~(page - 1); }

bool refused(void const* at) {
  if (reinterpret_cast<std::uintptr_t>(at) % page == 0) return false;
  errno = EINVAL;
  return true;
}

void* map(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  return reinterpret_cast<void*>(::syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
}

}  // namespace

extern "C" {

long __sysconf(int name);
long sysconf(int name) noexcept { return name == _SC_PAGESIZE ? static_cast<long>(page) : __sysconf(name); }
int getpagesize() noexcept { return page; }
unsigned long __getauxval(unsigned long type);
unsigned long getauxval(unsigned long type) noexcept { return type == AT_PAGESZ ? page : __getauxval(type); }

void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  if (offset % static_cast<off_t>(page) != 0) return refused(reinterpret_cast<void*>(1)), MAP_FAILED;
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
    return refused(at) ? MAP_FAILED : map(at, whole(bytes), protection, flags, file, offset);
  // Room for it wherever a page begins, and what is around it given back.
  void* const room = map(nullptr, whole(bytes) + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return room;
  auto const begin = reinterpret_cast<std::uintptr_t>(room), first = whole(begin), last = first + whole(bytes);
  if (first != begin) ::syscall(SYS_munmap, begin, first - begin);
  if (last != begin + whole(bytes) + page) ::syscall(SYS_munmap, last, begin + whole(bytes) + page - last);
  return map(reinterpret_cast<void*>(first), whole(bytes), protection, flags | MAP_FIXED, file, offset);
}
void* mmap64(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  return mmap(at, bytes, protection, flags, file, offset);
}
int munmap(void* at, std::size_t bytes) noexcept {
  return refused(at) ? -1 : static_cast<int>(::syscall(SYS_munmap, at, whole(bytes)));
}
int mprotect(void* at, std::size_t bytes, int protection) noexcept {
  return refused(at) ? -1 : static_cast<int>(::syscall(SYS_mprotect, at, whole(bytes), protection));
}
int madvise(void* at, std::size_t bytes, int advice) noexcept {
  return refused(at) ? -1 : static_cast<int>(::syscall(SYS_madvise, at, whole(bytes), advice));
}
}
