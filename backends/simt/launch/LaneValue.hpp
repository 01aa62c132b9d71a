// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lane's own value of a reduction or scan: on the lane's stack, whatever its type, its length known at
/// compile time or not until run time.
#pragma once

#include "../Macros.hpp"
#include "ReduceBuffer.hpp"

#include <cstddef>
#include <type_traits>

namespace teamsan::simt {

/// Kokkos' own sum of numbers, which the functor has no say in: added up here, without a call of instrumented code.
template <class Reducer>
inline constexpr bool is_sum_of_numbers =
    std::is_arithmetic_v<typename Reducer::value_type> &&
    std::is_same_v<typename Reducer::reference_type, typename Reducer::value_type&> &&
    !Reducer::has_join_member_function() && !Reducer::has_init_member_function();

/// One of Kokkos' reducers, whose joins touch nothing but values.
template <class>
inline constexpr bool is_kokkos_reducer = false;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::Sum<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::Prod<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::Min<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::Max<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::LAnd<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::LOr<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::BAnd<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::BOr<Value, Space>> = true;
template <class Value, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::MinMax<Value, Space>> = true;
template <class Value, class Index, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::MinLoc<Value, Index, Space>> = true;
template <class Value, class Index, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::MaxLoc<Value, Index, Space>> = true;
template <class Value, class Index, class Space>
inline constexpr bool is_kokkos_reducer<Kokkos::MinMaxLoc<Value, Index, Space>> = true;

/// A number, or a small struct that is copied bit by bit: a lane's own may be a variable, which stays in registers.
template <class Value>
inline constexpr bool is_small_value = std::is_arithmetic_v<Value> ||
                                       (std::is_class_v<Value> && std::is_trivially_copyable_v<Value> &&
                                        std::is_copy_assignable_v<Value> && std::is_default_constructible_v<Value> &&
                                        sizeof(Value) <= 128 && alignof(Value) <= 16);

/// Such values that begin as `Value()` and are added up by their `+=`, without a function of the functor's.
template <class Reducer>
inline constexpr bool is_sum_of_small_values =
    is_small_value<typename Reducer::value_type>&&
        std::is_same_v<typename Reducer::reference_type, typename Reducer::value_type&> &&
    !Reducer::has_join_member_function() && !Reducer::has_init_member_function();

/// Small values that Kokkos itself joins: into a sum, or by a reducer of its own.
template <class Reducer, class = void>
inline constexpr bool joins_small_values = is_sum_of_small_values<Reducer>;
template <class Reducer>
inline constexpr bool joins_small_values<Reducer, std::void_t<typename Reducer::functor_type>> =
    is_sum_of_small_values<Reducer> || (is_small_value<typename Reducer::value_type> &&
                                        std::is_same_v<typename Reducer::reference_type, typename Reducer::value_type&> &&
                                        is_kokkos_reducer<typename Reducer::functor_type>);

template <class Reducer>
TEAMSAN_NO_INSTRUMENT inline typename Reducer::reference_type init_value(Reducer const& reducer,
                                                                         typename Reducer::pointer_type value) {
  if constexpr (is_sum_of_numbers<Reducer>)
    return *value = typename Reducer::value_type();
  else
    return reducer.init(value);
}

/// Are structs seen that functions take by value? GCC's own instrumentation leaves them out (docs/soundness.md): a body that
/// hands its value over so would seem not to have read it.
#if defined(__clang__)
inline constexpr bool sees_structs_taken = true;
#elif __has_attribute(teamsan_plain)  // by TeamSan's plug-in
inline constexpr bool sees_structs_taken = true;
#else
inline constexpr bool sees_structs_taken = false;
#endif

/// Are arrays of that many bytes equal? Null for types of which that is not known: with padding, say.
template <class Value>
TEAMSAN_NO_INSTRUMENT bool are_equal(void const* a, void const* b, std::size_t bytes) {
  if constexpr (std::is_arithmetic_v<Value>) {
    auto const* const first = static_cast<Value const*>(a);
    auto const* const second = static_cast<Value const*>(b);
    for (std::size_t i = 0; i != bytes / sizeof(Value); ++i)
      if (first[i] != second[i] && (first[i] == first[i] || second[i] == second[i])) return false;  // NaNs are alike
    return true;
  } else {
    return __builtin_memcmp(a, b, bytes) == 0;
  }
}
template <class Value>
inline constexpr bool has_equal_values =
    std::is_arithmetic_v<Value> || (sees_structs_taken && std::has_unique_object_representations_v<Value>);
template <class Value>
inline constexpr auto equal_values = has_equal_values<Value> ? &are_equal<Value> : nullptr;

/// The calls of `Kernel::reducer()`, by which the type-erased side joins values.
template <class Kernel, class Reducer>
struct ErasedReducer {
  using Pointer = typename Reducer::pointer_type;

  TEAMSAN_NO_INSTRUMENT static Reducer const& of(void const* kernel) {
    return static_cast<Kernel const*>(kernel)->reducer();
  }
  TEAMSAN_NO_INSTRUMENT static void init(void const* kernel, void* value) {
    init_value(of(kernel), static_cast<Pointer>(value));
  }
  TEAMSAN_NO_INSTRUMENT static void join(void const* kernel, void* into, void const* from) {
    auto const* const value = static_cast<typename Reducer::value_type const*>(from);
    if constexpr (is_sum_of_numbers<Reducer>)
      *static_cast<Pointer>(into) += *value;
    else
      of(kernel).join(static_cast<Pointer>(into), value);
  }
  TEAMSAN_NO_INSTRUMENT static void final(void const* kernel, void* value) {
    of(kernel).final(static_cast<Pointer>(value));
  }
  /// In pairs, and pairs of pairs, as by `join`: those that are to be joined come to lie side by side.
  TEAMSAN_NO_INSTRUMENT static void join_numbers(void* values, std::size_t count) {
    if constexpr (is_sum_of_numbers<Reducer>) {
      auto* const all = static_cast<Pointer>(values);
      for (; count > 1; count = (count + 1) / 2) {
        for (std::size_t i = 0; i != count / 2; ++i) {
          auto joined = all[2 * i];
          all[i] = joined += all[2 * i + 1];
        }
        if (count % 2 != 0) all[count / 2] = all[count - 1];
      }
    }
  }
  static constexpr ReducerCalls calls{init, join, final, equal_values<typename Reducer::value_type>,
                                      is_sum_of_numbers<Reducer> ? join_numbers : nullptr};
};

}  // namespace teamsan::simt

/// Declares `type* name`, room for one value on the stack of the function it stands in. `fixed_bytes` is a
/// constant, 0 when only `bytes` tells. A macro, since what alloca gives ends with its function.
#define TEAMSAN_LANE_VALUE(type, name, fixed_bytes, bytes)                                          \
  alignas(16) alignas(type) std::byte name##_storage[(fixed_bytes) > 0 ? (fixed_bytes) : 1];        \
  auto* const name = reinterpret_cast<type*>((fixed_bytes) > 0 ? static_cast<void*>(name##_storage) \
                                                               : __builtin_alloca((bytes)))
