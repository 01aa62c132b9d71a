// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Random choices that are the same on every machine.
#pragma once

#include "Semantics.hpp"

#include <cstdint>
#include <initializer_list>

namespace property {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : m_state(mix(seed * 0x9e3779b97f4a7c15u + 1)) {}
  std::uint64_t next() { return mix(m_state += 0x9e3779b97f4a7c15u); }
  /// 0 to n - 1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int first, int last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<int>(choices.size()))];
  }

 private:
  std::uint64_t m_state;
};

}  // namespace property
