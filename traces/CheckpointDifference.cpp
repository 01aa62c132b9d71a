// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckpointDifference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <type_traits>

namespace teamsan::traces {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
T at(std::span<std::byte const> data, std::uint64_t i) {
  T value;
  std::memcpy(&value, data.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// Representable values in order: the distance of two of these numbers is the count of steps.
template <class Integer, class Real>
Integer position(Real value) {
  auto const bits = std::bit_cast<Integer>(value);
  return bits < 0 ? std::numeric_limits<Integer>::min() - bits : bits;
}

template <class Integer, class Real>
std::uint64_t steps(Real a, Real b) {
  auto const x = static_cast<std::int64_t>(position<Integer>(a)),
             y = static_cast<std::int64_t>(position<Integer>(b));
  return x < y ? static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x)
               : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y);
}

enum class Verdict { equal, both_nan, accepted, different };

struct Judged {
  Verdict verdict;
  Distance distance;
};

template <std::floating_point Real>
Judged judge(Real a, Real b, Tolerance const& tolerance) {
  if (a == b) return {Verdict::equal, {.ulps = 0}};
  if (std::isnan(a) && std::isnan(b)) return {Verdict::both_nan, {}};
  if (!std::isfinite(a) || !std::isfinite(b)) return {Verdict::different, {{}, infinity, infinity}};
  double const x = a, y = b, scale = std::max(std::fabs(x), std::fabs(y));
  // Two doubles of opposite sign may be farther apart than a double can say.
  double const absolute = std::min(std::fabs(x - y), std::numeric_limits<double>::max());
  Distance const distance{ulps_between(a, b), absolute, std::fabs(x / scale - y / scale)};
  bool const close =
      *distance.ulps <= tolerance.ulps || absolute <= tolerance.atol || absolute <= tolerance.rtol * scale;
  return {close ? Verdict::accepted : Verdict::different, distance};
}

template <std::integral Integer>
Judged judge(Integer a, Integer b, Tolerance const&) {
  if (a == b) return {Verdict::equal, {}};
  double const x = static_cast<double>(a), y = static_cast<double>(b);
  // The difference of two 64-bit integers in a double: for people, and for saying which is the largest.
  double const absolute = std::max(1.0, std::fabs(x - y));
  return {Verdict::different, {{}, absolute, absolute / std::max(std::fabs(x), std::fabs(y))}};
}

template <class Value>
std::string value_text(Value value) {
  if constexpr (std::is_same_v<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::floating_point<Value>) {
    if (std::isnan(value)) return "nan";
  }
  char text[64];
  auto const result = std::to_chars(text, text + sizeof text, value);
  return {text, result.ptr};
}

/// Adds up what the elements give, in their order.
class Tally {
 public:
  explicit Tally(SnapshotDifference& result) : m_result(result) {}

  template <class Texts>
  void take(std::uint64_t element, Judged const& judged, bool one_sided_nan, Texts&& texts) {
    switch (judged.verdict) {
      case Verdict::equal:
        return;
      case Verdict::both_nan:
        ++m_result.nans_in_both;
        return;
      case Verdict::accepted:
        ++m_result.accepted;
        m_result.accepted_ulps = std::max(m_result.accepted_ulps, judged.distance.ulps.value_or(0));
        return;
      case Verdict::different:
        break;
    }
    ++m_result.differing;
    m_result.one_sided_nans += one_sided_nan ? 1 : 0;
    auto const note = [&](std::optional<ElementDifference>& place, bool better) {
      if (place && !better) return;
      auto [first, second] = texts();
      place = ElementDifference{element, std::move(first), std::move(second), judged.distance};
    };
    note(m_result.first, false);
    note(m_result.worst, m_result.worst && judged.distance.relative > m_result.worst->distance.relative);
    note(m_result.largest,
         m_result.largest && judged.distance.absolute > m_result.largest->distance.absolute);
  }

 private:
  SnapshotDifference& m_result;
};

template <class Value>
void compare_plain(std::uint64_t count, std::span<std::byte const> a, std::span<std::byte const> b,
                   Tolerance const& tolerance, Tally& tally) {
  for (std::uint64_t i = 0; i < count; ++i) {
    auto const x = at<Value>(a, i), y = at<Value>(b, i);
    bool one_nan = false;
    if constexpr (std::floating_point<Value>) one_nan = std::isnan(x) != std::isnan(y);
    tally.take(i, judge(x, y, tolerance), one_nan, [&] { return std::pair{value_text(x), value_text(y)}; });
  }
}

template <class Real>
void compare_complex(std::uint64_t count, std::span<std::byte const> a, std::span<std::byte const> b,
                     Tolerance const& tolerance, Tally& tally) {
  auto const text = [](Real re, Real im) { return fmt::format("({}, {})", value_text(re), value_text(im)); };
  for (std::uint64_t i = 0; i < count; ++i) {
    Real const x[] = {at<Real>(a, 2 * i), at<Real>(a, 2 * i + 1)};
    Real const y[] = {at<Real>(b, 2 * i), at<Real>(b, 2 * i + 1)};
    Judged const real = judge(x[0], y[0], tolerance), imaginary = judge(x[1], y[1], tolerance);
    bool const second =
        real.verdict < imaginary.verdict ||
        (real.verdict == imaginary.verdict && imaginary.distance.relative > real.distance.relative);
    bool const one_nan = std::isnan(x[0]) != std::isnan(y[0]) || std::isnan(x[1]) != std::isnan(y[1]);
    Judged worse = second ? imaginary : real;
    if (worse.verdict == Verdict::accepted)
      worse.distance.ulps = std::max(real.distance.ulps, imaginary.distance.ulps);
    tally.take(i, worse, one_nan, [&] { return std::pair{text(x[0], x[1]), text(y[0], y[1])}; });
  }
}

/// The element from its first differing byte on, up to eight bytes.
std::string bytes_text(std::byte const* data, std::size_t bytes, std::size_t from) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "byte " + std::to_string(from) + ":";
  for (std::size_t i = from; i < std::min(bytes, from + 8); ++i) {
    auto const value = std::to_integer<unsigned>(data[i]);
    text.append(1, ' ').append(1, digits[value >> 4]).append(1, digits[value & 15]);
  }
  return text + (from + 8 < bytes ? " ..." : "");
}

void compare_bytes(std::uint64_t count, std::size_t size, std::span<std::byte const> a,
                   std::span<std::byte const> b, Tally& tally) {
  for (std::uint64_t i = 0; i < count; ++i) {
    std::byte const *const x = a.data() + i * size, *const y = b.data() + i * size;
    if (std::memcmp(x, y, size) == 0) continue;
    auto const from = static_cast<std::size_t>(std::mismatch(x, x + size, y).first - x);
    // How far apart a struct's bytes are, nobody can say: all differences are alike, the first counts as the
    // worst.
    tally.take(i, {Verdict::different, {}}, false, [&] {
      return std::pair{bytes_text(x, size, from), bytes_text(y, size, from)};
    });
  }
}

}  // namespace

std::uint64_t ulps_between(double a, double b) { return steps<std::int64_t>(a, b); }
std::uint64_t ulps_between(float a, float b) { return steps<std::int32_t>(a, b); }

SnapshotDifference compare_elements(Checkpoint const& shape, std::span<std::byte const> a,
                                    std::span<std::byte const> b, Tolerance const& tolerance) {
  SnapshotDifference result;
  Tally tally(result);
  auto const plain = [&]<class Value>(Value) {
    compare_plain<Value>(shape.elements, a, b, tolerance, tally);
  };
  switch (shape.kind) {
    case ElementKind::bytes:
      compare_bytes(shape.elements, shape.element_bytes, a, b, tally);
      break;
    case ElementKind::boolean:  // as a number: a bool that is neither 0 nor 1 is a difference too
      plain(std::uint8_t{});
      break;
    case ElementKind::signed_integer:
      if (shape.element_bytes == 1) plain(std::int8_t{});
      if (shape.element_bytes == 2) plain(std::int16_t{});
      if (shape.element_bytes == 4) plain(std::int32_t{});
      if (shape.element_bytes == 8) plain(std::int64_t{});
      break;
    case ElementKind::unsigned_integer:
      if (shape.element_bytes == 1) plain(std::uint8_t{});
      if (shape.element_bytes == 2) plain(std::uint16_t{});
      if (shape.element_bytes == 4) plain(std::uint32_t{});
      if (shape.element_bytes == 8) plain(std::uint64_t{});
      break;
    case ElementKind::real:
      if (shape.element_bytes == 4) plain(float{});
      if (shape.element_bytes == 8) plain(double{});
      break;
    case ElementKind::complex:
      if (shape.element_bytes == 8) compare_complex<float>(shape.elements, a, b, tolerance, tally);
      if (shape.element_bytes == 16) compare_complex<double>(shape.elements, a, b, tolerance, tally);
      break;
  }
  return result;
}

std::string index_text(std::vector<std::uint64_t> const& extents, std::uint64_t element) {
  std::string text;
  for (std::size_t r = extents.size(); r-- > 0; element /= extents[r])
    text = std::to_string(element % extents[r]) + (text.empty() ? "" : ", ") + text;
  return extents.empty() ? "" : "(" + text + ")";
}

std::string shape_text(Checkpoint const& entry) {
  std::string text = entry.type;
  for (std::uint64_t const extent : entry.extents) text += fmt::format("[{}]", extent);
  return text;
}

}  // namespace teamsan::traces
