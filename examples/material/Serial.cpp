// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Serial.hpp"

#include "Parameters.hpp"

#include <algorithm>
#include <cmath>

namespace material {

namespace {

using Matrix = double[3][3];

/// Points of a curve as pairs, looked at one after the other.
double curve_at(int id, double x) {
  int const first = curve_data[id], last = curve_data[id + 1] - 1;
  auto const px = [](int k) { return curve_values[2 * k]; };
  auto const py = [](int k) { return curve_values[2 * k + 1]; };
  if (x <= px(first)) return py(first);
  for (int k = first; k < last; ++k)
    if (x <= px(k + 1)) return py(k) + (py(k + 1) - py(k)) * ((x - px(k)) / (px(k + 1) - px(k)));
  return py(last);
}

/// Plastic strain p >= before where trial - 3G (p - before) meets the yield curve: piece by piece.
double return_exactly(double trial, double before) {
  int const first = curve_data[yield_curve], last = curve_data[yield_curve + 1] - 1;
  for (int k = first; k < last; ++k) {
    double const x0 = curve_values[2 * k], y0 = curve_values[2 * k + 1];
    double const x1 = curve_values[2 * k + 2], y1 = curve_values[2 * k + 3];
    if (before >= x1) continue;
    double const slope = (y1 - y0) / (x1 - x0);
    double const p = (trial + 3 * shear * before - y0 + slope * x0) / (3 * shear + slope);
    if (p <= x1) return p;
  }
  return before + (trial - curve_values[2 * last + 1]) / (3 * shear);
}

/// One step of one point. True if it fails in this step.
bool update(SerialPoint& point, Increment const& increment) {
  double const c = std::cos(increment.angle), s = std::sin(increment.angle);
  Matrix const r = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
  double const* const e = increment.strain;
  Matrix const global = {{e[0], e[3], e[5]}, {e[3], e[1], e[4]}, {e[5], e[4], e[2]}};
  Matrix half = {}, strain = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) half[i][j] += r[i][k] * global[k][j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) strain[i][j] += half[i][k] * r[j][k];

  double const volume = strain[0][0] + strain[1][1] + strain[2][2];
  double const pressure_before = (point.stress[0][0] + point.stress[1][1] + point.stress[2][2]) / 3;
  double const mean = pressure_before + bulk * volume;
  Matrix deviator;
  double squares = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double const unit = i == j ? 1 : 0;
      deviator[i][j] =
          point.stress[i][j] - pressure_before * unit + 2 * shear * (strain[i][j] - volume / 3 * unit);
      squares += deviator[i][j] * deviator[i][j];
    }
  double const trial = std::sqrt(1.5 * squares);
  double stress = trial;
  bool fails = false;
  if (trial > curve_at(yield_curve, point.plastic_strain)) {
    double const p = return_exactly(trial, point.plastic_strain);
    double const step = p - point.plastic_strain;
    stress = trial - 3 * shear * step;
    point.dissipation += stress * step;
    point.plastic_strain = p;
    double const damaged = point.damage + step / curve_at(failure_curve, mean / stress);
    fails = point.damage < 1 && damaged >= 1;
    point.damage = std::min(damaged, 1.0);
  }
  point.largest_stress = std::max(point.largest_stress, stress);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) point.stress[i][j] = deviator[i][j] * (stress / trial) + (i == j ? mean : 0);
  return fails;
}

}  // namespace

SerialResult run_serial(std::vector<Increment> const& increments) {
  std::size_t const n = increments.size(), elements = (n + num_ip - 1) / num_ip;
  SerialResult result{std::vector<SerialPoint>(n), std::vector<bool>(elements, false)};
  std::vector<int> failed(elements, 0);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < n; ++i)
      if (!result.eroded[i / num_ip]) failed[i / num_ip] += update(result.points[i], increments[i]);
    for (std::size_t e = 0; e < elements; ++e) {
      if (result.eroded[e] || failed[e] < failed_limit) continue;
      result.eroded[e] = true;
      for (std::size_t i = e * num_ip; i < std::min(n, (e + 1) * num_ip); ++i)
        for (auto& row : result.points[i].stress) std::fill(std::begin(row), std::end(row), 0.0);
    }
  }
  return result;
}

}  // namespace material
