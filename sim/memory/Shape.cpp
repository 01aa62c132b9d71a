#include <teamsan/sim/memory/Shape.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace teamsan {

std::uint64_t Shape::span() const {
  std::uint64_t last = 0;
  for (unsigned i = 0; i != rank; ++i) {
    if (extents[i] == 0) return 0;
    last += (extents[i] - 1) * strides[i];
  }
  return last + 1;
}

std::string to_string(Shape const& shape) {
  std::string text(shape.type);
  for (unsigned i = 0; i != shape.rank; ++i) text += fmt::format("[{}]", shape.extents[i]);
  if (shape.rank > 1 && !shape.layout.empty()) text += fmt::format(" {}", shape.layout);
  return text;
}

std::string index_of(Shape const& shape, std::uint64_t byte) {
  if (!shape.known() || shape.rank > Shape::max_rank) return {};
  // Strides are peeled off from the widest: exact where each is no narrower than what lies within it.
  unsigned order[Shape::max_rank];
  unsigned* const end = order + shape.rank;
  std::iota(order, end, 0u);
  std::stable_sort(order, end, [&](unsigned a, unsigned b) { return shape.strides[a] > shape.strides[b]; });
  std::uint64_t within = 1;
  for (unsigned const* i = end; i-- != order;) {
    if (shape.extents[*i] > 1 && shape.strides[*i] < within) return {};
    within = std::max(within, shape.extents[*i] * shape.strides[*i]);
  }
  std::uint64_t rest = byte / shape.element_bytes;
  std::uint64_t index[Shape::max_rank] = {};
  for (unsigned const* i = order; i != end; ++i) {
    if (shape.extents[*i] == 0) return {};
    if (shape.extents[*i] == 1 || shape.strides[*i] == 0) continue;
    index[*i] = rest / shape.strides[*i];
    rest %= shape.strides[*i];
    if (index[*i] >= shape.extents[*i]) return {};
  }
  if (rest != 0) return {};
  return fmt::format("({})", fmt::join(index, index + shape.rank, ", "));
}

}  // namespace teamsan
