// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What counts as the same, value by value, and which differences are named.
#include "CheckpointBytes.hpp"

#include "../../traces/CheckpointDifference.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace teamsan::traces;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 a_nan = std::numeric_limits<double>::quiet_NaN();
constexpr double least = std::numeric_limits<double>::denorm_min(), most = std::numeric_limits<double>::max();

template <class T>
SnapshotDifference compare(ElementKind kind, std::vector<T> const& a, std::vector<T> const& b,
                           Tolerance const& tolerance = {}) {
  Checkpoint shape{};
  shape.kind = kind;
  shape.element_bytes = sizeof(T);
  shape.extents = {a.size()};
  shape.elements = a.size();
  return compare_elements(shape, std::as_bytes(std::span(a)), std::as_bytes(std::span(b)), tolerance);
}

bool agree(double a, double b, Tolerance const& tolerance = {}) {
  bool const one = compare<double>(ElementKind::real, {a}, {b}, tolerance).differing == 0;
  BOOST_TEST(one == (compare<double>(ElementKind::real, {b}, {a}, tolerance).differing == 0),
             "not symmetric");
  return one;
}

}  // namespace

BOOST_AUTO_TEST_CASE(ulps_are_steps_of_nextafter) {
  for (double const from : {0.0, 1.0, -1.0, least, -least, 1e300, -3.5e-310, 0.5}) {
    double to = from;
    for (std::uint64_t steps = 0; steps < 5; ++steps, to = std::nextafter(to, inf)) {
      BOOST_TEST(ulps_between(from, to) == steps);
      BOOST_TEST(ulps_between(to, from) == steps);
    }
  }
  BOOST_TEST(ulps_between(-0.0, 0.0) == 0u);
  BOOST_TEST(ulps_between(-least, least) == 2u);
  BOOST_TEST(ulps_between(1.0f, std::nextafter(1.0f, 2.0f)) == 1u);
  BOOST_TEST(ulps_between(-std::numeric_limits<float>::denorm_min(), 0.0f) == 1u);
  // All finite doubles: 2 * 2046 * 2^52 and the subnormal ones, without overflow.
  BOOST_TEST(ulps_between(-most, most) == 2 * ((std::uint64_t{2047} << 52) - 1));
}

BOOST_AUTO_TEST_CASE(equal_values_agree_without_tolerance) {
  BOOST_TEST(agree(0.0, -0.0));
  BOOST_TEST(agree(inf, inf));
  BOOST_TEST(agree(a_nan, -a_nan));
  BOOST_TEST(!agree(1.0, std::nextafter(1.0, 2.0)));
}

BOOST_AUTO_TEST_CASE(what_no_tolerance_makes_equal) {
  Tolerance const wide{.ulps = ~std::uint64_t{0}, .rtol = 1e300, .atol = most};
  BOOST_TEST(agree(-most, most, wide));
  BOOST_TEST(!agree(inf, most, wide));
  BOOST_TEST(!agree(inf, -inf, wide));
  BOOST_TEST(!agree(a_nan, 0.0, wide));
  BOOST_TEST(!agree(a_nan, inf, wide));
  BOOST_TEST(compare<int>(ElementKind::signed_integer, {7}, {8}, wide).differing == 1u);
}

BOOST_AUTO_TEST_CASE(each_tolerance_alone) {
  double const next3 = std::nextafter(std::nextafter(std::nextafter(1.0, 2.0), 2.0), 2.0);
  BOOST_TEST(!agree(1.0, next3, {.ulps = 2}));
  BOOST_TEST(agree(1.0, next3, {.ulps = 3}));
  BOOST_TEST(agree(100.0, 101.0, {.rtol = 1.0 / 101}));
  BOOST_TEST(!agree(100.0, 101.1, {.rtol = 1.0 / 101}));
  BOOST_TEST(!agree(0.0, 1e-300, {.rtol = 0.5}));  // nothing is near zero relatively
  BOOST_TEST(agree(0.0, 1e-300, {.atol = 1e-300}));
  BOOST_TEST(agree(1e9, 1e9 + 0.5, {.atol = 0.5}));
}

BOOST_AUTO_TEST_CASE(first_worst_and_largest) {
  auto const d = compare<double>(ElementKind::real, {1, 5, 1000, 1e-9, a_nan, 2, a_nan},
                                 {1, 5.5, 1010, 2e-9, a_nan, 2.5, a_nan});
  BOOST_TEST(d.differing == 4u);
  BOOST_TEST(d.nans_in_both == 2u);
  BOOST_TEST(d.first->element == 1u);
  BOOST_TEST(d.first->first == "5");
  BOOST_TEST(d.first->second == "5.5");
  BOOST_TEST(d.worst->element == 3u);
  BOOST_TEST(d.worst->distance.relative == 0.5);
  BOOST_TEST(d.largest->element == 2u);
  BOOST_TEST(d.largest->distance.absolute == 10.0);
  auto const lost = compare<double>(ElementKind::real, {1, 2, 3}, {9, a_nan, inf}, {.atol = 100});
  BOOST_TEST(lost.differing == 2u);
  BOOST_TEST(lost.one_sided_nans == 1u);
  BOOST_TEST(lost.worst->element == 1u);
  BOOST_TEST(lost.accepted == 1u);
  BOOST_TEST(!lost.worst->distance.ulps);
}

BOOST_AUTO_TEST_CASE(what_a_tolerance_accepted_is_counted) {
  auto const d =
      compare<float>(ElementKind::real, {1, 2, 3}, {1, std::nextafter(2.0f, 9.0f), 3}, {.ulps = 4});
  BOOST_TEST(d.differing == 0u);
  BOOST_TEST(d.accepted == 1u);
  BOOST_TEST(d.accepted_ulps == 1u);
}

BOOST_AUTO_TEST_CASE(complex_numbers_by_their_parts) {
  struct Complex {
    double re, im;
  };
  auto const d =
      compare<Complex>(ElementKind::complex, {{1, 2}, {3, 0}, {a_nan, 1}}, {{1, 2}, {3, 4}, {a_nan, 2}});
  BOOST_TEST(d.differing == 2u);
  BOOST_TEST(d.first->first == "(3, 0)");
  BOOST_TEST(d.first->second == "(3, 4)");
  BOOST_TEST(d.first->distance.absolute == 4.0);
  BOOST_TEST(d.one_sided_nans == 0u);
  BOOST_TEST(
      compare<Complex>(ElementKind::complex, {{1, 2}}, {{std::nextafter(1, 2), 2}}, {.ulps = 1}).differing ==
      0u);
}

BOOST_AUTO_TEST_CASE(integers_of_every_width) {
  auto const check = [](auto low, auto high, ElementKind kind) {
    using T = decltype(low);
    BOOST_TEST(compare<T>(kind, {low, high}, {low, high}).differing == 0u);
    auto const d = compare<T>(kind, {low, high}, {low, static_cast<T>(high - 1)});
    BOOST_TEST(d.differing == 1u);
    BOOST_TEST(d.first->element == 1u);
    BOOST_TEST(d.first->distance.absolute >= 1.0);
    BOOST_TEST(d.first->first == std::to_string(high));
  };
  check(std::int8_t{-128}, std::int8_t{127}, ElementKind::signed_integer);
  check(std::int16_t{-32768}, std::int16_t{32767}, ElementKind::signed_integer);
  check(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(),
        ElementKind::signed_integer);
  check(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        ElementKind::signed_integer);
  check(std::uint8_t{0}, std::uint8_t{255}, ElementKind::unsigned_integer);
  check(std::uint16_t{0}, std::uint16_t{65535}, ElementKind::unsigned_integer);
  check(std::uint32_t{0}, ~std::uint32_t{0}, ElementKind::unsigned_integer);
  check(std::uint64_t{0}, ~std::uint64_t{0}, ElementKind::unsigned_integer);
}

BOOST_AUTO_TEST_CASE(structs_are_bytes) {
  struct Particle {
    int a[4];
  };
  auto const d = compare<Particle>(ElementKind::bytes, {{{1, 2, 3, 4}}}, {{{1, 2, 259, 4}}});
  BOOST_TEST(d.differing == 1u);
  BOOST_TEST(d.first->first == "byte 9: 00 00 00 04 00 00 00");
  BOOST_TEST(d.first->second == "byte 9: 01 00 00 04 00 00 00");
}

BOOST_AUTO_TEST_CASE(indices_and_shapes) {
  BOOST_TEST(index_text({4, 3, 2}, 0) == "(0, 0, 0)");
  BOOST_TEST(index_text({4, 3, 2}, 9) == "(1, 1, 1)");
  BOOST_TEST(index_text({}, 0) == "");
  Checkpoint shape{};
  shape.type = "complex64";
  shape.extents = {5, 2};
  BOOST_TEST(shape_text(shape) == "complex64[5][2]");
}
