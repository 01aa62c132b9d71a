// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the rank of a DynRankView is, which Kokkos keeps as a View of rank 7 whose extents past the rank are 1.
#pragma once

#include "Macros.hpp"

#include "../../sim/memory/Shape.hpp"

namespace teamsan::simt {

TEAMSAN_NO_INSTRUMENT inline void drop_unused_dimensions(Shape& shape) {
  constexpr std::uint32_t dynamic = 7;
  if (shape.rank != dynamic) return;
  while (shape.rank > 1 && shape.extents[shape.rank - 1] == 1) --shape.rank;
}

}  // namespace teamsan::simt
