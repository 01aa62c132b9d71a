// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/machine/FunctorCopy.hpp>

#include <teamsan/sim/machine/Team.hpp>

namespace teamsan {

thread_local constinit FunctorCopy functor_copy;

void expect_functor_copy() noexcept { functor_copy.expected = true; }

void begin_functor_copy(std::uintptr_t place, std::size_t bytes) {
  functor_copy = {.begin = place, .bytes = bytes};
  hot.lane->outer_frames = hot.outer_frames = place;
}

void end_functor_copy(bool same) noexcept {
  bool const told = functor_copy.told;
  functor_copy = {};
  hot.lane->outer_frames = hot.outer_frames = ~std::uintptr_t{0};
  if (!same && !told) note_changed_functor();
}

}  // namespace teamsan
