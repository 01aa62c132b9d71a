// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The user material as a kernel over integration points: J2 plasticity with isotropic hardening by a curve,
/// return mapping, damage by plastic strain over a failure strain that hangs on triaxiality, and erosion of
/// elements in which points have failed. Order: how tensors and history lie in their arrays.
#pragma once

#include "Parameters.hpp"

#include <teamsan/model/patterns/Patterns.hpp>

#include <Kokkos_Core.hpp>

namespace material {

namespace patterns = teamsan::patterns;
using Tensor = patterns::Tensor6<double>;
using Rotation = patterns::Matrix3<double>;

/// The tensor in axes turned by R (rows: the new axes), or back from them.
KOKKOS_INLINE_FUNCTION Tensor rotated(Tensor const& t, Rotation const& r, bool back) {
  double const full[9] = {t[0], t[3], t[5], t[3], t[1], t[4], t[5], t[4], t[2]};
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  Tensor result{};
  for (int c = 0; c < 6; ++c)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l) {
        double const left = back ? r[3 * k + row[c]] : r[3 * row[c] + k];
        double const right = back ? r[3 * l + column[c]] : r[3 * column[c] + l];
        result[c] += left * full[3 * k + l] * right;
      }
  return result;
}

/// How an integration point counts itself among the failed ones of its element.
struct Atomically {
  KOKKOS_FUNCTION static void count(patterns::ElementShared<int> const& failed, int point) {
    failed.atomic_add(point, 1);
  }
};
/// Wrong, to be found: the points of an element run at the same time.
struct Naively {
  KOKKOS_FUNCTION static void count(patterns::ElementShared<int> const& failed, int point) {
    failed(point) += 1;
  }
};

template <class Order, class Counting>
struct Update {
  patterns::PerThreadTensor<double const, Order> increment;
  patterns::PerThreadTensor<double, Order> stress;  ///< in the material's axes
  patterns::PerThreadHistory<double, Order> history;
  patterns::StridedMatrix3<double const> axes;
  patterns::PerThreadScalar<double> mises;    ///< of this step
  patterns::ElementShared<int const> eroded;  ///< by earlier steps
  patterns::ElementShared<int> failed;        ///< points, so far
  patterns::CurveArray<double> curves;

  /// Plastic strain by which the trial stress of size `trial` returns to the yield curve: Newton's method,
  /// which on a curve of straight pieces ends after as many steps as there are pieces.
  KOKKOS_FUNCTION double returned(double trial, double before) const {
    double step = 0;
    for (int i = 0; i < 50; ++i) {
      auto const yield = curves.with_slope(yield_curve, before + step);
      double const change = (trial - 3 * shear * step - yield.y) / (3 * shear + yield.slope);
      step += change;
      if (Kokkos::abs(change) <= 1e-16 * (before + step)) break;
    }
    return step;
  }

  KOKKOS_FUNCTION void operator()(int const point) const {
    Tensor const global = increment.load(point);
    Tensor const strain = rotated(global, axes.load(point), false);
    if (eroded(point) != 0) return;
    Tensor s = stress.load(point);
    double const volume = strain[0] + strain[1] + strain[2];
    for (int c = 0; c < 6; ++c) s[c] += 2 * shear * strain[c];
    for (int c = 0; c < 3; ++c) s[c] += (bulk - 2 * shear / 3) * volume;

    double const mean = (s[0] + s[1] + s[2]) / 3;
    for (int c = 0; c < 3; ++c) s[c] -= mean;
    double const squares =
        s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    double equivalent = Kokkos::sqrt(1.5 * squares);
    double const before = history(point, plastic_strain);
    if (equivalent > curves(yield_curve, before)) {
      double const step = returned(equivalent, before);
      double const size = 1 - 3 * shear * step / equivalent;
      for (int c = 0; c < 6; ++c) s[c] *= size;
      equivalent *= size;
      history(point, plastic_strain) = before + step;
      history(point, dissipation) += equivalent * step;
      double const damaged = history(point, damage) + step / curves(failure_curve, mean / equivalent);
      if (history(point, damage) < 1 && damaged >= 1) Counting::count(failed, point);
      history(point, damage) = damaged < 1 ? damaged : 1;
    }
    if (equivalent > history(point, largest_stress)) history(point, largest_stress) = equivalent;
    mises(point) = equivalent;
    for (int c = 0; c < 3; ++c) s[c] += mean;
    stress.store(point, s);
  }
};

/// Between two updates, one thread for each element: elements with enough failed points bear no load any
/// more.
template <class Order>
struct Erosion {
  patterns::PerThreadTensor<double, Order> stress;
  Kokkos::View<int*> eroded;
  Kokkos::View<int const*> failed;
  int points;

  KOKKOS_FUNCTION void operator()(int const element) const {
    if (eroded(element) != 0 || failed(element) < failed_limit) return;
    eroded(element) = 1;
    for (int point = element * num_ip; point < (element + 1) * num_ip && point < points; ++point)
      stress.store(point, Tensor{});
  }
};

}  // namespace material
