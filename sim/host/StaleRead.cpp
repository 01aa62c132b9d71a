// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StaleRead.hpp"

#include "../detect/Checker.hpp"

#include <utility>

namespace teamsan {

detect::RawFinding stale_read(std::uintptr_t word, detect::WordAccess const& reader) {
  detect::RawFinding f;
  f.rule = Rule::stale_copy;
  f.data = detect::describe_global(word, 4);
  detect::RawSide side;
  side.access = AccessKind::read;
  side.bytes = 4;
  side.lane = {true, reader.league, reader.lane};
  side.site = reader.site;
  f.sides.push_back(std::move(side));
  f.count = 0;
  return f;
}

}  // namespace teamsan
