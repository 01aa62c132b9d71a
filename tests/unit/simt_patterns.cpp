// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Access patterns: where each component lies, written out; and curves against a written-out table and a
/// plain scan.
#include <boost/test/unit_test.hpp>

#include "SimtHost.hpp"

#include "../../model/patterns/Patterns.hpp"

#include <array>
#include <vector>

using namespace teamsan::patterns;
using simt_host::KokkosGuard;

BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

// Three curves: one with a flat piece and a jump, one of a single point, one of two.
std::array<int, 4> const curve_data{0, 5, 6, 8};
std::array<double, 16> const curve_values{0, 1, 1, 3, 2, 3, 2, 10, 4, 6, /**/ 7, -2, /**/ -1, 4, 1, 0};

struct Expected {
  int id;
  double x, y, slope;
};
constexpr Expected expected[] = {
    {0, -5, 1, 0},    {0, 0, 1, 2},    {0, 0.25, 1.5, 2}, {0, 1, 3, 0},   {0, 1.75, 3, 0},
    {0, 2, 10, -2},   {0, 3, 8, -2},   {0, 3.5, 7, -2},   {0, 4, 6, 0},   {0, 1e300, 6, 0},
    {1, -1e9, -2, 0}, {1, 7, -2, 0},   {1, 1e9, -2, 0},   {2, -2, 4, 0},  {2, -1, 4, -2},
    {2, 0, 2, -2},    {2, 0.5, 1, -2}, {2, 1, 0, 0},      {2, 100, 0, 0},
};

/// The definition, point by point.
double plain_scan(std::vector<double> const& x, std::vector<double> const& y, double at) {
  if (at < x.front()) return y.front();
  for (std::size_t k = x.size() - 1; k-- > 0;)
    if (x[k] <= at && at < x[k + 1]) return y[k] + (y[k + 1] - y[k]) / (x[k + 1] - x[k]) * (at - x[k]);
  return y.back();
}

/// Numbers from 0 to 1, the same everywhere.
class Dice {
 public:
  double operator()() {
    m_state = m_state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(m_state >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t m_state = 7;
};

}  // namespace

BOOST_AUTO_TEST_CASE(components_lie_where_they_should) {
  std::size_t const items = 5;
  std::vector<double> data(9 * items);
  auto const place = [&](double const& element) { return static_cast<std::size_t>(&element - data.data()); };
  PerThreadScalar<double> const scalar(data.data());
  PerThreadTensor<double, AoS> const aos(data.data(), items);
  PerThreadTensor<double, Strided> const strided(data.data(), items);
  StridedMatrix3<double> const matrix(data.data(), items);
  PerThreadHistory<double, AoS> const history(data.data(), items, 4);
  PerThreadHistory<double, Strided> const strided_history(data.data(), items, 4);
  ElementShared<double> const element(data.data(), 2);
  for (std::size_t i = 0; i < items; ++i) {
    BOOST_CHECK_EQUAL(place(scalar(i)), i);
    for (int c = 0; c < 6; ++c) {
      BOOST_CHECK_EQUAL(place(aos(i, c)), 6 * i + static_cast<std::size_t>(c));
      BOOST_CHECK_EQUAL(place(strided(i, c)), items * static_cast<std::size_t>(c) + i);
    }
    for (int c = 0; c < 9; ++c)
      BOOST_CHECK_EQUAL(place(matrix(i, c)), items * static_cast<std::size_t>(c) + i);
    for (std::size_t h = 0; h < 4; ++h) {
      BOOST_CHECK_EQUAL(place(history(i, h)), 4 * i + h);
      BOOST_CHECK_EQUAL(place(strided_history(i, h)), items * h + i);
    }
    BOOST_CHECK_EQUAL(place(element(i)), i / 2);
    BOOST_CHECK_EQUAL(element.is_first(i), i % 2 == 0);
  }
  BOOST_CHECK_EQUAL((PerThreadTensor<double, AoS>::extent(items)), 30);
  BOOST_CHECK_EQUAL(StridedMatrix3<double>::extent(items), 45);
  BOOST_CHECK_EQUAL((PerThreadHistory<double, AoS>::extent(items, 4)), 20);
  BOOST_CHECK_EQUAL(ElementShared<double>::extent(items, 2), 3);
  BOOST_CHECK_EQUAL((label<PerThreadTensor<double, AoS>>("stress")), "stress (tensor, array of structures)");
}

BOOST_AUTO_TEST_CASE(what_is_stored_is_loaded_again_in_kernels) {
  int const items = 100;
  Kokkos::View<double*> data("data", 6 * items), sums("sums", items);
  PerThreadTensor<double, Strided> const tensor(data.data(), items);
  Kokkos::parallel_for(
      "store", items, KOKKOS_LAMBDA(int i) {
        Tensor6<double> t;
        for (int c = 0; c < 6; ++c) t[c] = i + c;
        tensor.store(i, t);
      });
  PerThreadTensor<double const, Strided> const same(data.data(), items);
  Kokkos::parallel_for(
      "load", items, KOKKOS_LAMBDA(int i) {
        Tensor6<double> const t = same.load(i);
        double sum = 0;
        for (int c = 0; c < 6; ++c) sum += t[c];
        sums(i) = sum;
      });
  BOOST_CHECK_EQUAL(
      simt_host::differences(sums, [](std::size_t i) { return 6.0 * static_cast<double>(i) + 15; }), 0);
}

BOOST_AUTO_TEST_CASE(curves_give_what_is_written_out) {
  for (Expected const& e : expected) {
    BOOST_TEST_CONTEXT("curve " << e.id << " at " << e.x) {
      BOOST_CHECK_EQUAL(load_curve(curve_data.data(), curve_values.data(), e.id, e.x), e.y);
      BOOST_CHECK_EQUAL(load_curve_with_slope(curve_data.data(), curve_values.data(), e.id, e.x).slope,
                        e.slope);
    }
  }
}

BOOST_AUTO_TEST_CASE(curves_agree_with_a_plain_scan_in_kernels) {
  Dice dice;
  int const curves = 20, questions = 500;
  std::vector<int> data{0};
  std::vector<std::vector<double>> x(curves), y(curves);
  std::vector<double> values;
  for (int id = 0; id < curves; ++id) {
    double at = dice() - 1;
    for (int k = 0; k <= id; ++k) {
      x[static_cast<std::size_t>(id)].push_back(at);
      y[static_cast<std::size_t>(id)].push_back(10 * dice());
      values.push_back(x[static_cast<std::size_t>(id)].back());
      values.push_back(y[static_cast<std::size_t>(id)].back());
      at += 0.01 + dice();
    }
    data.push_back(static_cast<int>(values.size() / 2));
  }
  Kokkos::View<int*> device_data("data", data.size());
  Kokkos::View<double*> device_values("values", values.size()), at("x", questions),
      result("y", curves * questions);
  std::vector<double> asked(questions);
  for (double& q : asked) q = 30 * dice() - 5;
  asked[0] = x[19][7];  // exactly on points
  asked[1] = x[19][19];
  asked[2] = x[19][0];
  using Host = Kokkos::View<double const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Kokkos::deep_copy(device_data, Kokkos::View<int const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                     data.data(), data.size()));
  Kokkos::deep_copy(device_values, Host(values.data(), values.size()));
  Kokkos::deep_copy(at, Host(asked.data(), asked.size()));
  CurveArray<double> const curve(device_data.data(), device_values.data());
  Kokkos::parallel_for(
      "ask", curves * questions,
      KOKKOS_LAMBDA(int i) { result(i) = curve(i / questions, at(i % questions)); });
  BOOST_CHECK_EQUAL(simt_host::differences(result,
                                           [&](std::size_t i) {
                                             return plain_scan(x[i / questions], y[i / questions],
                                                               asked[i % questions]);
                                           }),
                    0);
}
