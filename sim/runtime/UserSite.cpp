#include <teamsan/sim/runtime/UserSite.hpp>

#include <teamsan/sim/machine/Fiber.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/report/Symbolizer.hpp>
#include <teamsan/sim/runtime/Hot.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <string_view>

namespace teamsan {
namespace {

/// By the symbol table alone: line tables are not read for programs in which everything was inlined.
bool may_be_library(std::uintptr_t pc) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(pc), &info) == 0 || info.dli_sname == nullptr) return false;
  std::string_view const name = info.dli_sname;
  for (std::string_view const prefix : {"_ZN5desul", "_ZN6Kokkos", "_ZNK6Kokkos", "_ZNSt", "_ZNKSt", "_ZSt"})
    if (name.starts_with(prefix)) return true;
  return false;
}

bool has_user_frame(std::uintptr_t pc) {
  RuntimeScope const scope;
  auto const& frames = frames_of(pc);
  return std::any_of(frames.begin(), frames.end(), [](Frame const& f) { return !f.internal && f.line != 0; });
}

/// Answers remembered per thread; the newer of two instructions that share a place wins.
template <bool (*ask)(std::uintptr_t)>
bool remembered(std::uintptr_t pc) {
  struct Known {
    std::uintptr_t pc = 0;
    bool answer = false;
  };
  thread_local Known table[256];
  Known& known = table[(pc ^ pc >> 8) % 256];
  if (known.pc != pc) known = {pc, ask(pc)};
  return known.answer;
}

bool is_library(std::uintptr_t pc) { return may_be_library(pc) && !has_user_frame(pc); }

}  // namespace

std::uintptr_t user_site(std::uintptr_t pc) {
  if (hot.lane == nullptr || hot.in_runtime != 0 || !remembered<is_library>(pc)) return pc;
  std::uintptr_t* const bottom = hot.lane->fiber->calls;
  for (std::uintptr_t* p = std::min(hot.call_top, bottom + Fiber::call_depth); p != bottom; --p)
    if (remembered<has_user_frame>(p[-1])) return p[-1];
  return pc;
}

}  // namespace teamsan
