// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// atomic<T>: a workgroup variable that lanes may change together, as WGSL's atomic<u32>. Every member
/// function is one atomic operation of Kokkos', relaxed and visible to the whole device: it orders nothing
/// but itself. T is what Kokkos::atomic_fetch_add takes; functions for bits want an integer. Not copyable:
/// WGSL has no value of this type either.
#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace teamsan {

template <class T>
class atomic {
  static_assert(std::is_arithmetic_v<T>, "atomic<T> is of integers and floating-point numbers");

 public:
  using value_type = T;

  atomic() = default;
  atomic(atomic const&) = delete;
  atomic& operator=(atomic const&) = delete;

  KOKKOS_FORCEINLINE_FUNCTION T load() const { return Kokkos::atomic_load(&m_value); }
  KOKKOS_FORCEINLINE_FUNCTION void store(T value) { Kokkos::atomic_store(&m_value, value); }

  // Each returns the value from before.
  KOKKOS_FORCEINLINE_FUNCTION T add(T value) { return Kokkos::atomic_fetch_add(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T sub(T value) { return Kokkos::atomic_fetch_sub(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T max(T value) { return Kokkos::atomic_fetch_max(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T min(T value) { return Kokkos::atomic_fetch_min(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T bit_and(T value) { return Kokkos::atomic_fetch_and(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T bit_or(T value) { return Kokkos::atomic_fetch_or(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T bit_xor(T value) { return Kokkos::atomic_fetch_xor(&m_value, value); }
  KOKKOS_FORCEINLINE_FUNCTION T exchange(T value) { return Kokkos::atomic_exchange(&m_value, value); }
  /// Stores `value` if the variable equals `expected`.
  KOKKOS_FORCEINLINE_FUNCTION T compare_exchange(T expected, T value) {
    return Kokkos::atomic_compare_exchange(&m_value, expected, value);
  }

 private:
  T m_value;
};

}  // namespace teamsan
