// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SameAmount.hpp"

#include <bit>
#include <cmath>
#include <cstdlib>

namespace teamsan::detect {

namespace {

double real(std::uint32_t bytes, std::uint64_t bits) {
  return bytes == 8 ? std::bit_cast<double>(bits) : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
}

/// What sums of numbers of that size may be off by.
double rounding(std::uint32_t bytes, double sizes) { return 4 * (bytes == 8 ? 2.3e-16 : 1.2e-7) * sizes; }

std::uint64_t difference(std::uint32_t bytes, Change const& change) {
  std::uint64_t const mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
  return (change.after - change.before) & mask;
}

}  // namespace

bool same_amount(std::uint32_t bytes, Change const& a, Change const& b) {
  if (difference(bytes, a) == difference(bytes, b)) return true;
  if (bytes != 4 && bytes != 8) return false;
  double const before_a = real(bytes, a.before), after_a = real(bytes, a.after);
  double const before_b = real(bytes, b.before), after_b = real(bytes, b.after);
  double const of_a = after_a - before_a, of_b = after_b - before_b;
  // Each was rounded to the size of what it was added to.
  double const off = rounding(bytes, std::fabs(after_a) + std::fabs(after_b) + std::fabs(before_a) + std::fabs(before_b));
  return std::isfinite(of_a) && std::isfinite(of_b) && std::fabs(of_a - of_b) <= off && std::fabs(of_a) > off;
}

bool is_count(std::uint32_t bytes, Change const& change) {
  std::uint64_t const by = difference(bytes, change);
  constexpr std::uint64_t most = 0xffff;
  if (by <= most || difference(bytes, {change.after, change.before}) <= most) return true;
  if (bytes != 4 && bytes != 8) return false;
  double const before = real(bytes, change.before), after = real(bytes, change.after);
  double const off = rounding(bytes, std::fabs(after) + std::fabs(before));
  return std::fabs(std::fabs(after - before) - 1) <= off;
}

bool is_amount(std::uint32_t bytes, Change const& change, std::uint32_t size, std::uint64_t number) {
  if ((bytes != 4 && bytes != 8) || (size != 4 && size != 8)) return false;
  auto const whole = [](std::uint32_t of, std::uint64_t bits) {
    return of == 8 ? static_cast<std::int64_t>(bits) : std::int64_t{static_cast<std::int32_t>(bits)};
  };
  double const as_real = real(size, number);
  std::int64_t const as_whole = whole(size, number);
  // An element of integers: by an integer, or by what a conversion leaves of a floating-point number.
  std::int64_t const by = whole(bytes, difference(bytes, change));
  if (by == as_whole || by == -as_whole) return true;
  if (std::fabs(as_real) < 9e18 && std::fabs(as_real) >= 1 && std::abs(by) == static_cast<std::int64_t>(std::fabs(as_real)))
    return true;
  double const before = real(bytes, change.before), after = real(bytes, change.after);
  double const amount = std::fabs(after - before);
  auto const is = [&](double other) {
    double const off = rounding(bytes, std::fabs(after) + std::fabs(before) + std::fabs(other));
    return std::isfinite(amount) && std::isfinite(other) && std::fabs(amount - std::fabs(other)) <= off && amount > off;
  };
  return is(as_real) || is(static_cast<double>(as_whole));
}

}  // namespace teamsan::detect
