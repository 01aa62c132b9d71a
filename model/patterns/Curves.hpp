// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Curves y(x) in two flat arrays, as material tables come: `data` holds where each curve's points begin,
/// `values` the points of all curves. Between points a curve is linear; before the first and after the last
/// it keeps their y.
///
///     data    n + 1 numbers: curve `id` has the points data[id] ... data[id + 1] - 1, at least one
///     values  x, y of point k in values[2 * k], values[2 * k + 1]; x does not fall within a curve. Where two
///     points
///             have the same x the curve jumps, and has the later one's y there.
#pragma once

#include <Kokkos_Macros.hpp>

namespace teamsan::patterns {

/// y and dy/dx; at a point the slope to its right, outside the curve 0.
template <class T>
struct CurveValue {
  T y, slope;
};

/// The curve `id` at x, in at most log2(points) + 2 reads of points. x must be a number.
template <class Index, class T>
KOKKOS_INLINE_FUNCTION CurveValue<T> load_curve_with_slope(Index const* data, T const* values, Index id,
                                                           T x) {
  Index low = data[id], high = data[id + 1] - 1;
  if (x < values[2 * low]) return {values[2 * low + 1], T(0)};
  if (x >= values[2 * high]) return {values[2 * high + 1], T(0)};
  while (high - low > 1) {  // x of low <= x < x of high
    Index const middle = low + (high - low) / 2;
    if (x < values[2 * middle])
      high = middle;
    else
      low = middle;
  }
  T const x0 = values[2 * low], y0 = values[2 * low + 1];
  T const slope = (values[2 * high + 1] - y0) / (values[2 * high] - x0);
  return {y0 + slope * (x - x0), slope};
}

/// The same without the slope.
template <class Index, class T>
KOKKOS_INLINE_FUNCTION T load_curve(Index const* data, T const* values, Index id, T x) {
  return load_curve_with_slope(data, values, id, x).y;
}

/// Both arrays of the device, to be captured by a kernel.
template <class T, class Index = int>
class CurveArray {
 public:
  CurveArray() = default;
  CurveArray(Index const* data, T const* values) : m_data(data), m_values(values) {}
  KOKKOS_INLINE_FUNCTION T operator()(Index id, T x) const { return load_curve(m_data, m_values, id, x); }
  KOKKOS_INLINE_FUNCTION CurveValue<T> with_slope(Index id, T x) const {
    return load_curve_with_slope(m_data, m_values, id, x);
  }

 private:
  Index const* m_data = nullptr;
  T const* m_values = nullptr;
};

}  // namespace teamsan::patterns
