// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

namespace {

/// Strides are peeled off from the widest: exact where each is no narrower than what lies within it.
std::string peeled(Shape const& shape, std::int64_t byte, bool beyond) {
  if (!shape.known() || shape.rank > Shape::max_rank) return {};
  unsigned order[Shape::max_rank];
  unsigned* const end = order + shape.rank;
  std::iota(order, end, 0u);
  std::stable_sort(order, end, [&](unsigned a, unsigned b) { return shape.strides[a] > shape.strides[b]; });
  std::uint64_t within = 1;
  for (unsigned const* i = end; i-- != order;) {
    if (shape.extents[*i] > 1 && shape.strides[*i] < within) return {};
    within = std::max(within, shape.extents[*i] * shape.strides[*i]);
  }
  auto const floor = [](std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); };
  std::int64_t rest = floor(byte, shape.element_bytes);
  std::int64_t index[Shape::max_rank] = {};
  for (unsigned const* i = order; i != end; ++i) {
    if (shape.extents[*i] == 0) return {};
    auto const stride = static_cast<std::int64_t>(shape.strides[*i]);
    bool const widest = i == order && beyond;
    if ((shape.extents[*i] == 1 && !widest) || stride == 0) continue;
    index[*i] = floor(rest, stride);
    rest -= index[*i] * stride;
    if (!widest && (index[*i] < 0 || static_cast<std::uint64_t>(index[*i]) >= shape.extents[*i])) return {};
  }
  if (rest != 0) return {};
  return fmt::format("({})", fmt::join(index, index + shape.rank, ", "));
}

}  // namespace

std::string index_of(Shape const& shape, std::uint64_t byte) { return peeled(shape, static_cast<std::int64_t>(byte), false); }

std::string index_beyond(Shape const& shape, std::int64_t byte) {
  return shape.rank == 0 ? std::string() : peeled(shape, byte, true);
}

std::string extents_of(Shape const& shape) {
  return fmt::format("extent{} {}", shape.rank == 1 ? "" : "s", fmt::join(shape.extents, shape.extents + shape.rank, ", "));
}

}  // namespace teamsan
