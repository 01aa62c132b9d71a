// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// For overlay/desul/atomics/Fetch_Op_GCC.hpp. Until 4.7 an atomic load or store on the host is a loop of compare-and-swap,
/// which stores what a lane only reads, and reads what may not be written yet. On a GPU it is one access, and here, as in the
/// Load_And_Store_GCC.hpp of Kokkos 5. More special than the ones of Kokkos 4 (Fetch_Op_Generic.hpp): of one order each.
#pragma once
#pragma GCC system_header

#if !__has_include(<desul/atomics/Load_And_Store_GCC.hpp>)

#include <desul/atomics/Adapt_GCC.hpp>

#include <type_traits>

namespace desul::Impl {

template <class T>
inline constexpr bool one_host_access = std::is_trivially_copyable_v<T>&& __atomic_always_lock_free(sizeof(T), 0);

#define TEAMSAN_LOAD_AND_STORE(ORDER)                                                                      \
  template <class T, class MemoryScope>                                                                    \
  std::enable_if_t<one_host_access<T>, T> host_atomic_load(T const* const from, ORDER, MemoryScope) {      \
    std::remove_const_t<T> value;                                                                          \
    __atomic_load(from, &value, GCCMemoryOrder<ORDER>::value);                                             \
    return value;                                                                                          \
  }                                                                                                        \
  template <class T, class MemoryScope>                                                                    \
  std::enable_if_t<one_host_access<T>> host_atomic_store(T* const to, T const value, ORDER, MemoryScope) { \
    T copy = value;                                                                                        \
    __atomic_store(to, &copy, GCCMemoryOrder<ORDER>::value);                                               \
  }
TEAMSAN_LOAD_AND_STORE(MemoryOrderSeqCst)
TEAMSAN_LOAD_AND_STORE(MemoryOrderAcqRel)
TEAMSAN_LOAD_AND_STORE(MemoryOrderAcquire)
TEAMSAN_LOAD_AND_STORE(MemoryOrderRelease)
TEAMSAN_LOAD_AND_STORE(MemoryOrderRelaxed)
#undef TEAMSAN_LOAD_AND_STORE

}  // namespace desul::Impl

#endif
