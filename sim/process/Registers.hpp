// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a signal handler reads of the processor that was interrupted, and changes: the same questions for x86-64 and aarch64.
#pragma once

#include <cerrno>
#include <cstdint>
#include <ucontext.h>

namespace teamsan::registers {

#if defined(__x86_64__)

inline std::uintptr_t pc(ucontext_t const& c) { return static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RIP]); }
inline std::uintptr_t sp(ucontext_t const& c) { return static_cast<std::uintptr_t>(c.uc_mcontext.gregs[REG_RSP]); }

/// Where the call that has just gone to `pc` would come back to; the stack is to be readable.
inline std::uintptr_t return_address(ucontext_t const& c) { return *reinterpret_cast<std::uintptr_t const volatile*>(sp(c)); }

/// As if that call were still to come.
inline void take_back_call(ucontext_t& c, std::uintptr_t back) {
  c.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(back - 1);
  c.uc_mcontext.gregs[REG_RSP] += sizeof back;
}

/// Has a system call just been cut short by the signal?
inline bool is_cut_short(ucontext_t const& c) {
  if (c.uc_mcontext.gregs[REG_RAX] != -EINTR) return false;
  auto const* const before = reinterpret_cast<unsigned char const*>(pc(c)) - 2;
  return before[0] == 0x0f && before[1] == 0x05;  // syscall
}

#elif defined(__aarch64__)

inline std::uintptr_t pc(ucontext_t const& c) { return c.uc_mcontext.pc; }
inline std::uintptr_t sp(ucontext_t const& c) { return c.uc_mcontext.sp; }

inline std::uintptr_t return_address(ucontext_t const& c) { return c.uc_mcontext.regs[30]; }

inline void take_back_call(ucontext_t& c, std::uintptr_t back) { c.uc_mcontext.pc = back - 4; }

inline bool is_cut_short(ucontext_t const& c) {
  if (static_cast<std::int64_t>(c.uc_mcontext.regs[0]) != -EINTR) return false;
  return reinterpret_cast<std::uint32_t const*>(pc(c))[-1] == 0xd4000001;  // svc #0
}

#else
#error "TeamSan reads signal contexts of x86-64 and aarch64."
#endif

}  // namespace teamsan::registers
