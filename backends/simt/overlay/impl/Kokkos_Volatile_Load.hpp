// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name. On a GPU a volatile access is one strong access of relaxed order (PTX ISA,
/// "volatile operations"); so are these: lanes may wait for each other with them, and a fence beside them orders.
/// A value is accessed in words no wider than it is aligned to, of 8 bytes at most.
#pragma once
#pragma GCC system_header

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos {
namespace Impl {

template <class T>
using SimtWordOf =
    std::conditional_t<alignof(T) >= 8, std::uint64_t,
                       std::conditional_t<alignof(T) == 4, std::uint32_t,
                                          std::conditional_t<alignof(T) == 2, std::uint16_t, std::uint8_t>>>;

template <class Word>
using SimtMayAlias [[gnu::may_alias]] = Word;

}  // namespace Impl

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T volatile_load(T const volatile* const source) {
  using Word = Impl::SimtMayAlias<Impl::SimtWordOf<T>>;
  T result;
  for (std::size_t i = 0; i != sizeof(T) / sizeof(Word); ++i)
    reinterpret_cast<Word*>(&result)[i] =
        __atomic_load_n(reinterpret_cast<Word const volatile*>(source) + i, __ATOMIC_RELAXED);
  return result;
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void volatile_store(T volatile* const to, T const* const source) {
  using Word = Impl::SimtMayAlias<Impl::SimtWordOf<T>>;
  for (std::size_t i = 0; i != sizeof(T) / sizeof(Word); ++i)
    __atomic_store_n(reinterpret_cast<Word volatile*>(to) + i, reinterpret_cast<Word const*>(source)[i],
                     __ATOMIC_RELAXED);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void volatile_store(T volatile* const to, T const volatile* const source) {
  T const value = volatile_load(source);
  volatile_store(to, &value);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void volatile_store(T volatile* const to, T const volatile& source) {
  volatile_store(to, &source);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void volatile_store(T volatile* const to, T const& source) {
  volatile_store(to, &source);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T safe_load(T const* const source) {
  return *source;
}

}  // namespace Kokkos
