// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the machine model is told of a reduction's join: how wide its values are, and whether it stores under a condition.
/// Known are Kokkos' own reducers; of a functor's own join it is not known, and taken to be like a sum.
#pragma once

#include "../../../sim/base/Lane.hpp"

#include <Kokkos_Parallel_Reduce.hpp>

namespace teamsan::simt {

/// Kokkos' reducers of which join is `if (dest < src) dest = src`.
template <class>
inline constexpr bool joins_under_condition = false;
template <class... T>
inline constexpr bool joins_under_condition<Kokkos::Min<T...>> = true;
template <class... T>
inline constexpr bool joins_under_condition<Kokkos::Max<T...>> = true;
template <class... T>
inline constexpr bool joins_under_condition<Kokkos::MinMax<T...>> = true;
template <class... T>
inline constexpr bool joins_under_condition<Kokkos::MinLoc<T...>> = true;
template <class... T>
inline constexpr bool joins_under_condition<Kokkos::MaxLoc<T...>> = true;
template <class... T>
inline constexpr bool joins_under_condition<Kokkos::MinMaxLoc<T...>> = true;

/// `Reducer` is FunctorAnalysis' Reducer.
template <class Reducer>
constexpr Join join_of() {
  constexpr bool narrow = sizeof(typename Reducer::value_type) <= 4;
  if (joins_under_condition<typename Reducer::functor_type>) return narrow ? Join::narrow_branching : Join::branching;
  return narrow ? Join::narrow : Join::plain;
}

}  // namespace teamsan::simt
