// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// material FILE: an elasto-plastic material with hardening curve, history, damage and element erosion, for
// the integration points in FILE (material_generate writes one), once with tensors and history as arrays of
// structures and once strided. Both must agree with a serial implementation to 1e-12 of the yield stress;
// exit status 1 if they do not. material FILE naive: failed points are counted without atomics, which is a
// race; nothing is compared.
#include "Increments.hpp"
#include "Kernel.hpp"
#include "Parameters.hpp"
#include "Serial.hpp"

#include <teamsan/model/patterns/Patterns.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

namespace {

using namespace material;

template <class T>
using HostView = Kokkos::View<T*, Kokkos::HostSpace>;

/// What a run leaves for the host.
struct Result {
  HostView<double> stress, history;
  HostView<int> eroded;
};

template <class T, std::size_t n>
Kokkos::View<T*> on_device(std::string const& label, T const (&values)[n]) {
  Kokkos::View<T*> device(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
  Kokkos::deep_copy(device, Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values, n));
  return device;
}

template <class Order, class Counting>
Result run(std::vector<Increment> const& increments) {
  using Tensors = patterns::PerThreadTensor<double, Order>;
  using Histories = patterns::PerThreadHistory<double, Order>;
  using Axes = patterns::StridedMatrix3<double>;
  using Elements = patterns::ElementShared<int>;
  std::size_t const n = increments.size(), elements = Elements::extent(n, num_ip);

  Kokkos::View<double*> increment(patterns::label<Tensors>("increment"), Tensors::extent(n));
  Kokkos::View<double*> stress(patterns::label<Tensors>("stress"), Tensors::extent(n));
  Kokkos::View<double*> history(patterns::label<Histories>("history"), Histories::extent(n, num_history));
  Kokkos::View<double*> axes(patterns::label<Axes>("axes"), Axes::extent(n));
  Kokkos::View<double*> mises("von Mises stress (scalar)", n);
  Kokkos::View<int*> eroded(patterns::label<Elements>("eroded"), elements);
  Kokkos::View<int*> failed(patterns::label<Elements>("failed points"), elements);
  auto const data = on_device("curve data", curve_data);
  auto const values = on_device("curve values", curve_values);

  auto const host_increment = Kokkos::create_mirror_view(increment);
  auto const host_axes = Kokkos::create_mirror_view(axes);
  Tensors const to_increment(host_increment.data(), n);
  Axes const to_axes(host_axes.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    double const c = std::cos(increments[i].angle), s = std::sin(increments[i].angle);
    Tensor strain;
    std::copy_n(increments[i].strain, 6, strain.value);
    to_increment.store(i, strain);
    to_axes.store(i, {c, s, 0, -s, c, 0, 0, 0, 1});
  }
  Kokkos::deep_copy(increment, host_increment);
  Kokkos::deep_copy(axes, host_axes);

  Tensors const stresses(stress.data(), n);
  Update<Order, Counting> const update{{increment.data(), n},
                                       stresses,
                                       {history.data(), n, num_history},
                                       {axes.data(), n},
                                       patterns::PerThreadScalar<double>(mises.data()),
                                       {eroded.data(), num_ip},
                                       {failed.data(), num_ip},
                                       {data.data(), values.data()}};
  Erosion<Order> const erosion{stresses, eroded, failed, static_cast<int>(n)};
  std::string const order = Order::name;
  for (int step = 0; step < steps; ++step) {
    Kokkos::parallel_for("material, " + order, n, update);
    Kokkos::parallel_for("erosion, " + order, elements, erosion);
  }
  Result result{HostView<double>("stress", stress.extent(0)), HostView<double>("history", history.extent(0)),
                HostView<int>("eroded", elements)};
  Kokkos::deep_copy(result.stress, stress);
  Kokkos::deep_copy(result.history, history);
  Kokkos::deep_copy(result.eroded, eroded);
  return result;
}

/// Largest difference to the serial result, relative to the yield stress (of plastic strain and damage:
/// absolute).
template <class Order>
double difference(Result const& result, SerialResult const& serial) {
  std::size_t const n = serial.points.size();
  patterns::PerThreadTensor<double, Order> const stress(result.stress.data(), n);
  patterns::PerThreadHistory<double, Order> const history(result.history.data(), n, num_history);
  double const yield = curve_values[1];
  double largest = 0;
  auto const compare = [&](double a, double b) {
    // A NaN is as different as can be.
    double const d = std::abs(a - b);
    largest = d <= largest ? largest : (d == d ? d : HUGE_VAL);
  };
  for (std::size_t i = 0; i < n; ++i) {
    SerialPoint const& point = serial.points[i];
    Tensor const s = stress.load(i);
    constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    for (int c = 0; c < 6; ++c) compare(s[c] / yield, point.stress[row[c]][column[c]] / yield);
    compare(history(i, plastic_strain), point.plastic_strain);
    compare(history(i, damage), point.damage);
    compare(history(i, largest_stress) / yield, point.largest_stress / yield);
    compare(history(i, dissipation) / yield, point.dissipation / yield);
  }
  for (std::size_t e = 0; e < serial.eroded.size(); ++e) compare(result.eroded(e), serial.eroded[e]);
  return largest;
}

template <class Order>
bool check(std::vector<Increment> const& increments, SerialResult const& serial) {
  double const d = difference<Order>(run<Order, Atomically>(increments), serial);
  std::printf("%s: largest difference to the serial implementation %.2e\n", Order::name, d);
  return d <= 1e-12;
}

int run_all(std::string const& file) {
  auto const increments = read_increments(file);
  SerialResult const serial = run_serial(increments);
  auto const plastic = std::count_if(serial.points.begin(), serial.points.end(),
                                     [](SerialPoint const& p) { return p.plastic_strain > 0; });
  std::printf("%zu points, %d steps: %td yielded, %td of %zu elements eroded\n", increments.size(), steps,
              plastic, std::count(serial.eroded.begin(), serial.eroded.end(), true), serial.eroded.size());
  bool const good = check<patterns::AoS>(increments, serial);
  return check<patterns::Strided>(increments, serial) && good ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  bool const naive = argc == 3 && std::string_view(argv[2]) == "naive";
  if (argc != 2 && !naive) {
    std::fputs("material FILE [naive]: FILE holds strain increments, see material_generate\n", stderr);
    return 2;
  }
  try {
    if (!naive) return run_all(argv[1]);
    run<patterns::Strided, Naively>(read_increments(argv[1]));
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "material: %s\n", error.what());
    return 2;
  }
}
