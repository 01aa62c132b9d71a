// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the elements of a View lie in memory, as a backend tells it, and where among them a byte is. Decided from
/// extents and strides alone; a byte that no index reaches (padding of a stride) has no index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace teamsan {

struct Shape {
  static constexpr unsigned max_rank = 8;
  std::string_view type;    ///< of an element: "double"; in static storage
  std::string_view layout;  ///< "LayoutLeft"; in static storage; empty: unknown, or of no meaning (rank 0 and 1)
  std::uint32_t element_bytes = 0;  ///< 0: nothing is known
  std::uint32_t rank = 0;
  std::uint64_t extents[max_rank] = {};
  std::uint64_t strides[max_rank] = {};  ///< in elements

  bool known() const { return element_bytes != 0; }
  /// Elements from the first to the last that an index reaches.
  std::uint64_t span() const;
};

/// "double[64][32] LayoutLeft".
std::string to_string(Shape const& shape);

/// "(3, 5)" for the element that holds that byte of the View; empty: none does, or two do.
std::string index_of(Shape const& shape, std::uint64_t byte);

/// The same for a byte before or behind all elements, where the index of the widest stride is taken to be the wrong one.
std::string index_beyond(Shape const& shape, std::int64_t byte);

/// "extent 64", "extents 8, 4".
std::string extents_of(Shape const& shape);

}  // namespace teamsan
