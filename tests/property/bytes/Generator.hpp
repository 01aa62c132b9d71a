// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Cases at random. Half of them are right: operations keep to fields and elements of their own, and now and then one does not.
#pragma once

#include "Case.hpp"

namespace property::bytes {

enum class Sort : std::uint8_t { flat, team };

struct Choice {
  Sort sort = Sort::flat;
  int longest_vector = 32;
  bool (*sees_struct)(int bytes, int alignment) = nullptr;
  bool flow = false;      ///< some lanes fence; of ranges some throw
  bool locks = false;     ///< atomics of 24 bytes, which Kokkos makes under its locks
  bool portable = false;  ///< no operation lies between two that sync=portable leaves without an order
};

/// The same on every machine.
Case generate(std::uint64_t seed, Choice const& choice);

}  // namespace property::bytes
