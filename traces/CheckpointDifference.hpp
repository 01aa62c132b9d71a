// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Two snapshots of one shape and type, compared element by element. Pure: what counts as equal is decided
/// from two values and a tolerance, and nothing else.
///
/// Two reals a and b agree if one of these holds:
///  - a == b (so +0 and -0 agree, and an infinity with itself), or both are NaN, whatever their bits;
///  - both are finite and at most `ulps` steps apart: the number of representable values of their own type
///  one passes on
///    the way from a to b, +0 and -0 being one value (as boost::math::float_distance; DBL_MAX to infinity is
///    no step);
///  - both are finite and |a - b| <= max(rtol * max(|a|, |b|), atol) (as Python's math.isclose, PEP 485).
/// A NaN and a number never agree, nor do an infinity and another value. Complex numbers agree if both parts
/// do. Integers, booleans and bytes agree if they are equal: no tolerance makes index 7 of index 8.
#pragma once

#include "Checkpoint.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace teamsan::traces {

struct Tolerance {
  std::uint64_t ulps = 0;
  double rtol = 0;
  double atol = 0;
};

/// How far two values are apart. Of a complex number: of the part that is farther apart.
struct Distance {
  std::optional<std::uint64_t> ulps;  ///< of two finite reals
  double absolute = 0;  ///< infinity if a NaN or an infinity is not matched; of integers the difference
  double relative = 0;  ///< absolute over the larger magnitude; likewise
};

struct ElementDifference {
  std::uint64_t element;      ///< in row-major order
  std::string first, second;  ///< the values, in as many digits as tell them apart
  Distance distance;
};

struct SnapshotDifference {
  std::uint64_t differing = 0;               ///< elements out of tolerance
  std::uint64_t one_sided_nans = 0;          ///< of these: NaN in one snapshot, a number in the other
  std::uint64_t nans_in_both = 0;            ///< elements that are NaN in both, which agree
  std::optional<ElementDifference> first;    ///< the first in row-major order
  std::optional<ElementDifference> worst;    ///< the greatest relative distance; the first of equals
  std::optional<ElementDifference> largest;  ///< the greatest absolute distance; the first of equals
  std::uint64_t accepted = 0;                ///< elements that are not equal, and within tolerance
  std::uint64_t accepted_ulps = 0;           ///< the most steps among those
};

/// Steps from a to b; both finite.
std::uint64_t ulps_between(double a, double b);
std::uint64_t ulps_between(float a, float b);

/// `a` and `b`: the elements of two snapshots with `shape`'s kind, element size and number of elements.
SnapshotDifference compare_elements(Checkpoint const& shape, std::span<std::byte const> a,
                                    std::span<std::byte const> b, Tolerance const& tolerance);

/// "(3, 5)" for an element in row-major order; "" if the rank is 0.
std::string index_text(std::vector<std::uint64_t> const& extents, std::uint64_t element);

/// "float64[64][32]"
std::string shape_text(Checkpoint const& entry);

}  // namespace teamsan::traces
