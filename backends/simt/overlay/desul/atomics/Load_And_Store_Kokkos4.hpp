// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For overlay/desul/atomics/Fetch_Op_GCC.hpp. Until 4.7 an atomic load or store on the host is a loop of compare-and-swap,
/// which stores what a lane only reads, and reads what may not be written yet. On a GPU it is one access, and here, as in the
/// Load_And_Store_GCC.hpp of Kokkos 5. More special than the ones of Kokkos 4 (Fetch_Op_Generic.hpp).
#pragma once
#pragma GCC system_header

#if !__has_include(<desul/atomics/Load_And_Store_GCC.hpp>)

#include <desul/atomics/Adapt_GCC.hpp>

#include <type_traits>

namespace desul::Impl {

template <class T>
concept OneHostAccess = std::is_trivially_copyable_v<T> && __atomic_always_lock_free(sizeof(T), 0);

template <class T, class MemoryOrder, class MemoryScope>
requires OneHostAccess<T> T host_atomic_load(T const* const from, MemoryOrder, MemoryScope) {
  std::remove_const_t<T> value;
  __atomic_load(from, &value, GCCMemoryOrder<MemoryOrder>::value);
  return value;
}

template <class T, class MemoryOrder, class MemoryScope>
requires OneHostAccess<T>
void host_atomic_store(T* const to, T const value, MemoryOrder, MemoryScope) {
  T copy = value;
  __atomic_store(to, &copy, GCCMemoryOrder<MemoryOrder>::value);
}

}  // namespace desul::Impl

#endif
