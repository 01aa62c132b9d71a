// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos_Half.hpp asks of a backend with types of two bytes (Half.hpp): to and from each type that it names.
#pragma once

#include <type_traits>

namespace Kokkos::Experimental {

inline half_t cast_to_half(half_t value) { return value; }
inline bhalf_t cast_to_bhalf(bhalf_t value) { return value; }

#define TEAMSAN_HALF_FROM(TYPE)                                                                                     \
  inline half_t cast_to_half(TYPE value) { return half_t(half_t::impl_type(static_cast<double>(value))); }          \
  inline bhalf_t cast_to_bhalf(TYPE value) { return bhalf_t(bhalf_t::impl_type(static_cast<double>(value))); }      \
  template <class T>                                                                                                \
  std::enable_if_t<std::is_same_v<T, TYPE>, T> cast_from_half(half_t value) {                                       \
    return static_cast<T>(static_cast<float>(half_t::impl_type(value)));                                            \
  }                                                                                                                 \
  template <class T>                                                                                                \
  std::enable_if_t<std::is_same_v<T, TYPE>, T> cast_from_bhalf(bhalf_t value) {                                     \
    return static_cast<T>(static_cast<float>(bhalf_t::impl_type(value)));                                           \
  }

TEAMSAN_HALF_FROM(float)
TEAMSAN_HALF_FROM(bool)
TEAMSAN_HALF_FROM(double)
TEAMSAN_HALF_FROM(short)
TEAMSAN_HALF_FROM(int)
TEAMSAN_HALF_FROM(long)
TEAMSAN_HALF_FROM(long long)
TEAMSAN_HALF_FROM(unsigned short)
TEAMSAN_HALF_FROM(unsigned int)
TEAMSAN_HALF_FROM(unsigned long)
TEAMSAN_HALF_FROM(unsigned long long)
#undef TEAMSAN_HALF_FROM

}  // namespace Kokkos::Experimental
