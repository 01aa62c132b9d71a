// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CrashStack.hpp"

#include "../base/Survives.hpp"
#include "../machine/CallStack.hpp"
#include "../places/Sites.hpp"
#include "Registers.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <unwind.h>

namespace teamsan {

using namespace std::string_view_literals;

namespace {

/// Bytes of code, as many as can be read.
class Code {
 public:
  static constexpr std::size_t size = 32;

  explicit Code(std::uintptr_t address) : m_address(address) {
    survives([this] {
      for (std::size_t i = 0; i != size; ++i, ++m_read) m_bytes[i] = reinterpret_cast<char const volatile*>(m_address)[i];
    });
  }
  bool starts_with(std::string_view instruction) const {
    return std::string_view(m_bytes, m_read).starts_with(instruction);
  }
  std::int32_t number_at(std::size_t offset) const {
    std::int32_t n = 0;
    std::memcpy(&n, m_bytes + offset, sizeof n);
    return n;
  }
  std::uint8_t operator[](std::size_t i) const { return static_cast<std::uint8_t>(m_bytes[i]); }
  bool whole() const { return m_read == size; }

 private:
  std::uintptr_t m_address;
  char m_bytes[size] = {};
  std::size_t m_read = 0;
};

#if defined(__x86_64__)
/// Length of an indirect call that begins like this; 0: it is none.
std::size_t indirect_call_bytes(Code const& code, std::size_t at) {
  if (code[at] != 0xff || (code[at + 1] >> 3 & 7) != 2) return 0;
  unsigned const mode = code[at + 1] >> 6, rm = code[at + 1] & 7;
  if (mode == 3) return 2;
  std::size_t const sib = rm == 4 ? 1 : 0;
  if (mode == 1) return 3 + sib;
  if (mode == 2) return 6 + sib;
  return rm == 5 || (sib != 0 && (code[at + 2] & 7) == 5) ? 6 + sib : 2 + sib;
}

/// Touches of the stack as GCC and Clang write them; 0: it is none.
std::size_t touch_bytes(Code const& code) {
  for (std::string_view const touch : {"\x48\x83\x0c\x24\x00"sv, "\x48\xc7\x04\x24\x00\x00\x00\x00"sv,
                                       "\x48\x83\x34\x24\x00"sv})  // orq, movq, xorq $0, (%rsp)
    if (code.starts_with(touch)) return touch.size();
  return 0;
}
#endif

}  // namespace

CrashStack::CrashStack(ucontext_t const& context) {
  frames[0] = {registers::pc(context), registers::sp(context)};
  std::size_t found = 0;  // of the walk, which starts in the handler
  survives([&] {
    struct Walk {
      CrashStack& stack;
      std::size_t& found;
    } walk{*this, found};
    _Unwind_Backtrace(
        [](_Unwind_Context* at, void* data) {
          auto& [stack, found] = *static_cast<Walk*>(data);
          Frame const frame{_Unwind_GetIP(at), _Unwind_GetCFA(at)};
          if (found == 0 && frame.pc != stack.frames[0].pc) return _URC_NO_REASON;
          stack.frames[found++] = frame;
          return found == most ? _URC_END_OF_STACK : _URC_NO_REASON;
        },
        &walk);
  });
  count = std::max<std::size_t>(found, 1);
}

std::size_t CrashStack::frame_bytes(std::size_t i) const {
  return i + 1 < count && frames[i + 1].sp > frames[i].sp ? frames[i + 1].sp - frames[i].sp : 0;
}

std::vector<Site> CrashStack::callers() const {
  std::vector<Site> list;
  for (std::size_t i = 1; i < count; ++i) list.push_back(site_at(frames[i].pc));
  std::vector<Site> const noted = call_stack();
  auto const known = [&](Site site) { return std::find(list.begin(), list.end(), site) != list.end(); };
  auto const last_known = std::find_if(noted.rbegin(), noted.rend(), known);
  list.insert(list.end(), last_known.base(), noted.end());
  return list;
}

std::uintptr_t read_word(std::uintptr_t address) {
  std::uintptr_t word = 0;
  survives([&] { word = *reinterpret_cast<std::uintptr_t const volatile*>(address); });
  return word;
}

#if defined(__x86_64__)

bool follows_call(std::uintptr_t address) {
  constexpr std::size_t longest = 7;
  if (address < 4096) return false;
  Code const code(address - longest);
  if (!code.whole()) return false;
  if (code[longest - 5] == 0xe8) return true;
  for (std::size_t bytes = 2; bytes <= longest; ++bytes)
    if (indirect_call_bytes(code, longest - bytes) == bytes) return true;
  return false;
}

std::uintptr_t called_function(std::uintptr_t address) {
  constexpr std::size_t bytes = 5;
  if (address < 4096) return 0;
  Code const code(address - bytes);
  return code[0] == 0xe8 ? address + static_cast<std::uintptr_t>(static_cast<std::intptr_t>(code.number_at(1))) : 0;
}

std::size_t frame_to_come(ucontext_t const& context) {
  std::uintptr_t pc = registers::pc(context);
  std::size_t bytes = 0, step = touch_bytes(Code(pc));
  if (step == 0) return 0;
  for (pc += step; step != 0; pc += step) {
    Code const code(pc);
    step = 0;
    if (code.starts_with("\x48\x81\xec"sv)) {  // sub $N, %rsp
      bytes += static_cast<std::uint32_t>(code.number_at(3));
      step = 7;
    } else if (code.starts_with("\x48\x83\xec"sv)) {
      bytes += code[3];
      step = 4;
    } else if (code.starts_with("\x4c\x39\xdc\x75"sv)) {  // cmp %r11, %rsp; jne: a loop down to there
      auto const last = static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_R11]);
      if (std::uintptr_t const sp = registers::sp(context); last < sp) bytes += sp - last;
      step = 5;
    } else {
      step = touch_bytes(code);
    }
  }
  return bytes;
}

#else  // aarch64: every instruction takes four bytes

namespace {
std::uint32_t instruction_before(std::uintptr_t address) {
  if (address < 4096 || address % 4 != 0) return 0;
  Code const code(address - 4);
  return code.whole() ? static_cast<std::uint32_t>(code.number_at(0)) : 0;
}
}  // namespace

bool follows_call(std::uintptr_t address) {
  std::uint32_t const before = instruction_before(address);
  return (before & 0xfc000000) == 0x94000000 || (before & 0xfefff000) == 0xd63f0000;  // bl; blr and its authenticated forms
}

std::uintptr_t called_function(std::uintptr_t address) {
  std::uint32_t const before = instruction_before(address);
  if ((before & 0xfc000000) != 0x94000000) return 0;
  std::int64_t const words = static_cast<std::int32_t>(before << 6) >> 6;
  return address - 4 + static_cast<std::uintptr_t>(words * 4);
}

/// Such steps are 64 KiB there, as much as the guard: none is told of.
std::size_t frame_to_come(ucontext_t const&) { return 0; }

#endif

}  // namespace teamsan
