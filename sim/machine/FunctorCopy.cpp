// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FunctorCopy.hpp"

#include "Team.hpp"

namespace teamsan {

thread_local constinit FunctorCopy functor_copy;

void expect_functor_copy() noexcept { functor_copy.expected = true; }

void begin_functor_copy(std::uintptr_t place, std::uintptr_t functor, std::size_t bytes) {
  functor_copy = {.begin = place, .bytes = bytes, .functor = functor};
  hot.lane->stack.outer_frames = hot.outer_frames = place;
}

void end_functor_copy(bool same) noexcept {
  if (!same && !functor_copy.told) note_changed_functor();
  functor_copy = {};
  hot.lane->stack.outer_frames = hot.outer_frames = ~std::uintptr_t{0};
}

}  // namespace teamsan
