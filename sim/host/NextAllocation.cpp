// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NextAllocation.hpp"

#include <utility>

namespace teamsan {

namespace {
struct Next {
  Shape shape;
  std::uint64_t elements = 0;  ///< allocated
};
thread_local Next next;
thread_local bool next_is_system = false;
}  // namespace

void shape_next_allocation(Shape const& shape, std::uint64_t elements) {
  next = {shape, elements != 0 ? elements : shape.span()};
}

void forget_next_shape() { next = {}; }

Shape take_next_shape(std::size_t bytes) {
  auto const [shape, elements] = std::exchange(next, {});
  std::size_t const needed = (elements * shape.element_bytes + 7) / 8 * 8;
  return shape.known() && needed == bytes ? shape : Shape{};
}

void usm_next_is_system() { next_is_system = true; }

bool take_next_is_system() { return std::exchange(next_is_system, false); }

}  // namespace teamsan
