// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the kernel and the serial reference agree on: the material, its curves, and the loading. Stresses in
/// MPa, strains without unit, angles in radian.
#pragma once

namespace material {

inline constexpr int num_ip = 8;        ///< integration points of an element
inline constexpr int steps = 10;        ///< how often the file's strain increments are applied
inline constexpr int num_history = 4;   ///< see History
inline constexpr int failed_limit = 3;  ///< failed points from which on an element is eroded

inline constexpr double young = 210000, poisson = 0.3;
inline constexpr double shear = young / (2 * (1 + poisson));
inline constexpr double bulk = young / (3 * (1 - 2 * poisson));

/// Yield stress over accumulated plastic strain, and plastic strain at failure over stress triaxiality (mean
/// stress over von Mises stress), in the arrays of model/patterns/Curves.hpp.
enum Curve : int { yield_curve, failure_curve, num_curves };
inline constexpr int curve_data[num_curves + 1] = {0, 6, 10};
inline constexpr double curve_values[20] = {0,   250, 0.002, 290,   0.005, 320,   0.01, 345,   0.03, 380,
                                            0.1, 400, -0.33, 0.020, 0,     0.012, 0.33, 0.006, 1,    0.003};

/// Variables of each integration point.
enum History : int {
  plastic_strain,  ///< accumulated
  damage,          ///< from 0 to 1: then the point has failed
  largest_stress,  ///< von Mises, so far
  dissipation      ///< plastic work by volume, MPa
};

}  // namespace material
