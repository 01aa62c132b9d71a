// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is drawn: of kernels, when they are compiled, and of their launches, as these run.
#pragma once

#include <cstdint>
#include <random>
#include <tuple>

namespace drawing {

/// A number below `sides`, the same each time; `set`: other ones.
constexpr std::uint32_t dice(std::uint32_t set, std::uint32_t seed, std::uint32_t throws, std::uint32_t sides) {
  std::uint32_t h = seed * 0x9e3779b9u + throws * 0x85ebca6bu + set;
  for (int i = 0; i != 3; ++i) h = (h ^ h >> 15) * 0x2c1b3c6du, h = (h ^ h >> 13) * 0x297a2d39u;
  return (h ^ h >> 16) % sides;
}
template <std::uint32_t number, class... Types>
using Chosen = std::tuple_element_t<number, std::tuple<Types...>>;

template <class Number>
class Draw {
 public:
  explicit Draw(unsigned seed) : m_random(seed) {}
  Number between(Number least, Number most) {
    return least + static_cast<Number>(m_random() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool one_in(Number n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 m_random;
};

}  // namespace drawing
