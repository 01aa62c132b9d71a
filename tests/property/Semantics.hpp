// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What indices and values mean, for the interpreter and the oracle alike.
#pragma once

#include "Program.hpp"

#include <cstdint>

namespace property {

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x7fb5d329728ea185u;
  x ^= x >> 27;
  x *= 0x81dadef4bc2dd44du;
  return x ^ x >> 33;
}

inline std::uint64_t element(Access const& access, std::uint32_t size, std::uint64_t x) {
  if (static_cast<std::int64_t>(x) == access.past_end_at) return size;
  return (access.a * x + access.b) % size;
}

inline std::uint64_t narrow(std::uint64_t value, std::uint32_t width) {
  return width == 8 ? value : value & ((std::uint64_t{1} << 8 * width) - 1);
}

/// The value of item x before what it reads is taken in.
inline std::uint64_t fresh_value(Leaf const& leaf, std::uint64_t x, std::uint64_t league,
                                 std::uint64_t thread) {
  return mix(x + leaf.salt) + league * 0x9e3779b97f4a7c15u +
         (leaf.uses_thread ? thread * 0xc2b2ae3d27d4eb4fu : 0);
}
inline std::uint64_t take_in(std::uint64_t value, std::uint64_t read) { return value * 31 + mix(read); }

inline std::uint64_t updated(AtomicOperation operation, std::uint64_t old, std::uint64_t value) {
  switch (operation) {
    case AtomicOperation::none:
      return value;
    case AtomicOperation::add:
      return old + value;
    case AtomicOperation::max:
      return old < value ? value : old;
    case AtomicOperation::min:
      return old < value ? old : value;
    case AtomicOperation::exclusive_or:
      return old ^ value;
  }
  return value;
}

/// What element i holds when the host has filled the array.
inline std::uint64_t filling(int array, std::uint64_t i) {
  return mix(i * 8 + static_cast<std::uint64_t>(array));
}

inline std::uint64_t digest(std::uint64_t const* r) {
  std::uint64_t sum = 0;
  for (int k = 0; k < registers; ++k) sum += mix(r[k] + static_cast<std::uint64_t>(k));
  return sum;
}

}  // namespace property
