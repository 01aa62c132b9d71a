// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicCode.hpp"

#include "KokkosNames.hpp"

namespace teamsan::detect {

namespace {

template <bool (*ask)(std::uintptr_t pc)>
bool remembered(std::uintptr_t pc) {
  struct Known {
    std::uintptr_t pc = 0;
    bool is = false;
  };
  thread_local Known recent[64];
  Known& known = recent[(pc ^ pc >> 6) % 64];
  if (known.pc != pc) {
    known.is = ask(pc);
    known.pc = pc;
  }
  return known.is;
}

bool is_atomic(std::uintptr_t pc) { return has_code(KokkosCode::atomic, pc); }
bool is_loop(std::uintptr_t pc) {
  return has_code(KokkosCode::atomic_loop, pc) && !has_code(KokkosCode::atomic_load_or_store, pc);
}

}  // namespace

bool is_atomic_code(std::uintptr_t pc) { return remembered<is_atomic>(pc); }
bool is_atomic_loop(std::uintptr_t pc) { return remembered<is_loop>(pc); }

}  // namespace teamsan::detect
