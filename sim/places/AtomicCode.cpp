// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/places/AtomicCode.hpp>

#include <teamsan/sim/places/KokkosNames.hpp>

namespace teamsan::detect {

bool is_atomic_code(std::uintptr_t pc) {
  struct Known {
    std::uintptr_t pc = 0;
    bool atomic = false;
  };
  thread_local Known recent[64];
  Known& known = recent[(pc ^ pc >> 6) % 64];
  if (known.pc != pc) {
    known.atomic = has_code(KokkosCode::atomic, pc);
    known.pc = pc;
  }
  return known.atomic;
}

}  // namespace teamsan::detect
