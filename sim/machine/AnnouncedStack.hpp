// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What AddressSanitizer is told of a fiber's stack, so that it follows lanes that switch; nothing in other builds.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __has_feature  // of the compiler with which the tests are built under it (cmake/Rooms.cmake)
#if __has_feature(address_sanitizer)
#define TEAMSAN_ANNOUNCES_STACKS
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#endif

namespace teamsan {

#ifdef TEAMSAN_ANNOUNCES_STACKS
class AnnouncedStack {
 public:
  /// Nothing of what ran on it is left.
  void start_over(std::uintptr_t begin, std::size_t bytes) {
    m_begin = reinterpret_cast<void const*>(begin);
    m_bytes = bytes;
    m_locals = nullptr;
    __asan_unpoison_memory_region(m_begin, m_bytes);
  }
  /// Who runs on it goes on with `to` next.
  void leave_for(AnnouncedStack const& to) { __sanitizer_start_switch_fiber(&m_locals, to.m_begin, to.m_bytes); }
  /// Who runs on it goes on here; `from` was left. A thread's own stack is known from when it is first left.
  void go_on_after(AnnouncedStack& from) { __sanitizer_finish_switch_fiber(m_locals, &from.m_begin, &from.m_bytes); }

 private:
  void const* m_begin = nullptr;
  std::size_t m_bytes = 0;
  void* m_locals = nullptr;  ///< those that AddressSanitizer keeps elsewhere
};
#else
class AnnouncedStack {
 public:
  void start_over(std::uintptr_t, std::size_t) {}
  void leave_for(AnnouncedStack const&) {}
  void go_on_after(AnnouncedStack&) {}
};
#endif

}  // namespace teamsan
