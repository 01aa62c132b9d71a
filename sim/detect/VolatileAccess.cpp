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
  std::unordered_set<Site> sites;
};
Known& known() {
  static auto* const all = new Known;
  return *all;
}
}  // namespace

void note_volatile(Site site) {
  thread_local Site latest{};  // a lane that waits
  if (site == latest) return;
  latest = site;
  std::lock_guard const lock(known().mutex);
  known().sites.insert(site);
}

void explain_volatile(RawFinding& race) {
  auto const is_volatile = [](RawSide const& side) {
    std::lock_guard const lock(known().mutex);
    return known().sites.contains(side.site);
  };
  auto const found = std::find_if(race.sides.begin(), race.sides.end(), is_volatile);
  if (found == race.sides.end()) return;
  race.sync_alone = true;
  race.why = {because(Reason::through_volatile, CodePlace{found->site, true}), because(Reason::plain_to_cxx)};
  race.fix = remedy(Cure::no_volatile);
}

}  // namespace teamsan::detect
