#include <teamsan/sim/host/NextAllocation.hpp>

#include <utility>

namespace teamsan {

namespace {
thread_local Shape next_shape;
thread_local bool next_is_system = false;
}  // namespace

void shape_next_allocation(Shape const& shape) { next_shape = shape; }

void forget_next_shape() { next_shape = {}; }

Shape take_next_shape(std::size_t bytes) {
  Shape const shape = std::exchange(next_shape, {});
  std::size_t const needed = (shape.span() * shape.element_bytes + 7) / 8 * 8;
  return shape.known() && needed == bytes ? shape : Shape{};
}

void usm_next_is_system() { next_is_system = true; }

bool take_next_is_system() { return std::exchange(next_is_system, false); }

}  // namespace teamsan
