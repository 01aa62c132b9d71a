// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// half_t and bhalf_t as on a GPU: two bytes, IEEE binary16 and bfloat16, so that sizes of scratch and banks are a GPU's.
/// (Without a GPU Kokkos makes both a float.) Only stored so: Kokkos computes in float, and each result is rounded to the
/// nearest, ties to even. Read by overlay/impl/Kokkos_Half_FloatingPointWrapper.hpp, ahead of Kokkos' own.
#pragma once

#include <cstdint>

namespace teamsan::simt {

/// A floating-point number of 16 bits, one of them its sign.
template <int exponent_bits>
class SmallFloat {
 public:
  SmallFloat() = default;
  /// Rounded to the nearest, ties to even; infinite where that is no number.
  constexpr SmallFloat(double value) : m_bits(rounded(value)) {}

  constexpr operator float() const {
    std::uint32_t const sign = std::uint32_t{m_bits} >> 15 << 31, exponent = m_bits >> fraction_bits & all_ones;
    std::uint32_t const fraction = m_bits & ((1u << fraction_bits) - 1);
    if constexpr (exponent_bits == 8) return __builtin_bit_cast(float, std::uint32_t{m_bits} << 16);
    if (exponent == all_ones) return __builtin_bit_cast(float, sign | 0x7f800000u | fraction << (23 - fraction_bits));
    if (exponent == 0) return static_cast<float>(fraction) * (sign != 0 ? -smallest : smallest);
    return __builtin_bit_cast(float, sign | (exponent + 127 - bias) << 23 | fraction << (23 - fraction_bits));
  }

 private:
  static constexpr int fraction_bits = 15 - exponent_bits;
  static constexpr std::uint32_t all_ones = (1u << exponent_bits) - 1;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr float smallest = 0x1p-24f;  ///< of binary16

  static constexpr std::uint16_t rounded(double value) {
    auto const bits = __builtin_bit_cast(std::uint64_t, value);
    auto const sign = static_cast<std::uint16_t>(bits >> 63 << 15);
    auto const of = [sign](std::uint64_t magnitude) { return static_cast<std::uint16_t>(sign | magnitude); };
    std::uint64_t const infinite = std::uint64_t{all_ones} << fraction_bits;
    if (value != value) return of(infinite | 1u << (fraction_bits - 1));
    int const exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023 + bias;
    if (exponent >= static_cast<int>(all_ones)) return of(infinite);
    std::uint64_t const significand = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
    bool const normal = exponent > 0;
    int const cut = 52 - fraction_bits + (normal ? 0 : 1 - exponent);
    if (cut > 54) return of(0);
    std::uint64_t const kept = significand >> cut, rest = significand - (kept << cut), half = std::uint64_t{1} << (cut - 1);
    std::uint64_t const up = rest > half || (rest == half && (kept & 1) != 0);
    // The leading one of a normal number counts as one of the exponent's, and so does what carries.
    return of(kept + up + (normal ? static_cast<std::uint64_t>(exponent - 1) << fraction_bits : 0));
  }

  std::uint16_t m_bits;
};

}  // namespace teamsan::simt

namespace Kokkos::Impl {

struct half_impl_t {
  using type = teamsan::simt::SmallFloat<5>;
};
struct bhalf_impl_t {
  using type = teamsan::simt::SmallFloat<8>;
};

}  // namespace Kokkos::Impl
