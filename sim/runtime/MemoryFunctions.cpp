/// memcpy, memmove and memset as instrumented code calls them: programs are linked with --wrap for these three, so that
/// `memcpy` in the program's own objects comes here and libraries keep theirs. Clang 16 and later call __tsan_memcpy.
#include <teamsan/sim/runtime/Access.hpp>

#include <cstring>

extern "C" {
// What the linker's --wrap leaves us; programs linked without it never come to the wrappers.
[[gnu::weak]] void* __real_memcpy(void*, void const*, std::size_t);
[[gnu::weak]] void* __real_memmove(void*, void const*, std::size_t);
[[gnu::weak]] void* __real_memset(void*, int, std::size_t);
}

namespace {

using namespace teamsan;

void touch(void const* p, std::size_t bytes, AccessKind kind, std::uintptr_t pc) {
  auto address = reinterpret_cast<std::uintptr_t>(p);
  if (bytes == 0 || hot.in_runtime != 0 || address - hot.ignore_begin < hot.ignore_bytes) return;
  access_range(address, bytes, kind, pc);
}

#define TEAMSAN_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

}  // namespace

extern "C" {

void* __wrap_memcpy(void* to, void const* from, std::size_t bytes) {
  touch(from, bytes, AccessKind::read, TEAMSAN_PC);
  touch(to, bytes, AccessKind::write, TEAMSAN_PC);
  return __real_memcpy(to, from, bytes);
}
void* __wrap_memmove(void* to, void const* from, std::size_t bytes) {
  touch(from, bytes, AccessKind::read, TEAMSAN_PC);
  touch(to, bytes, AccessKind::write, TEAMSAN_PC);
  return __real_memmove(to, from, bytes);
}
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  touch(to, bytes, AccessKind::write, TEAMSAN_PC);
  return __real_memset(to, value, bytes);
}

void* __tsan_memcpy(void* to, void const* from, std::size_t bytes) {
  touch(from, bytes, AccessKind::read, TEAMSAN_PC);
  touch(to, bytes, AccessKind::write, TEAMSAN_PC);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, void const* from, std::size_t bytes) {
  touch(from, bytes, AccessKind::read, TEAMSAN_PC);
  touch(to, bytes, AccessKind::write, TEAMSAN_PC);
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  touch(to, bytes, AccessKind::write, TEAMSAN_PC);
  return std::memset(to, value, bytes);
}
}
