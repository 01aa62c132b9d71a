// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VolatileAccess.hpp"

#include "../base/PatientMutex.hpp"
#include "../findings/Sentences.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace teamsan::detect {

namespace {
/// Places in the code, few.
struct Known {
  PatientMutex mutex;
  std::unordered_set<std::uintptr_t> pcs;
};
Known& known() {
  static auto* const all = new Known;
  return *all;
}
}  // namespace

void note_volatile(std::uintptr_t pc) {
  thread_local std::uintptr_t latest = 0;  // a lane that waits
  if (pc == latest) return;
  latest = pc;
  std::lock_guard const lock(known().mutex);
  known().pcs.insert(pc);
}

void explain_volatile(RawFinding& race) {
  auto const is_volatile = [](RawSide const& side) {
    std::lock_guard const lock(known().mutex);
    return known().pcs.contains(side.pc);
  };
  auto const found = std::find_if(race.sides.begin(), race.sides.end(), is_volatile);
  if (found == race.sides.end()) return;
  race.sync_alone = true;
  race.why = {because(Reason::through_volatile, CodePlace{found->pc, true}), because(Reason::plain_to_cxx)};
  race.fix = remedy(Cure::no_volatile);
}

}  // namespace teamsan::detect
