// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When warp_algorithm::vectorize can use vector accesses, and how wide they are. It falls back to direct
/// under the four conditions of cub::WARP_STORE_VECTORIZE and cub::WARP_LOAD_VECTORIZE:
///
/// | vectorize_fallback | condition | known when |
/// |---|---|---|
/// | odd_items | ITEMS is odd | compiling |
/// | not_a_pointer | the iterator is not a plain pointer to the items' type | compiling |
/// | not_a_vector_type | the element is neither a built-in nor a vector type (is_vector_element) | compiling
/// | | not_aligned | the tile does not start at a multiple of 16 bytes (quad-aligned) | running |
///
/// Ask with vectorize_fallback_of; on the simulated GPU a note at the end of the report says which it was,
/// and where.
#pragma once

#include "vec.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace teamsan {

/// The bytes of a lane's widest access on every GPU.
inline constexpr int widest_vector = 16;

/// Types whose values can be parts of a vector access. To be specialised for a vector type of your own.
template <class T>
struct is_vector_element
    : std::bool_constant<(std::is_arithmetic_v<T> || is_vec<T>::value) && sizeof(T) <= widest_vector> {};

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
/// The vector types of the vendors' headers whose size is a power of two, 16 bytes at most.
#define TEAMSAN_IMPL_VECTOR_ELEMENT(TYPE) \
  template <>                             \
  struct is_vector_element<TYPE> : std::true_type {}
TEAMSAN_IMPL_VECTOR_ELEMENT(char2);
TEAMSAN_IMPL_VECTOR_ELEMENT(char4);
TEAMSAN_IMPL_VECTOR_ELEMENT(uchar2);
TEAMSAN_IMPL_VECTOR_ELEMENT(uchar4);
TEAMSAN_IMPL_VECTOR_ELEMENT(short2);
TEAMSAN_IMPL_VECTOR_ELEMENT(short4);
TEAMSAN_IMPL_VECTOR_ELEMENT(ushort2);
TEAMSAN_IMPL_VECTOR_ELEMENT(ushort4);
TEAMSAN_IMPL_VECTOR_ELEMENT(int2);
TEAMSAN_IMPL_VECTOR_ELEMENT(int4);
TEAMSAN_IMPL_VECTOR_ELEMENT(uint2);
TEAMSAN_IMPL_VECTOR_ELEMENT(uint4);
TEAMSAN_IMPL_VECTOR_ELEMENT(long2);
TEAMSAN_IMPL_VECTOR_ELEMENT(ulong2);
TEAMSAN_IMPL_VECTOR_ELEMENT(longlong2);
TEAMSAN_IMPL_VECTOR_ELEMENT(ulonglong2);
TEAMSAN_IMPL_VECTOR_ELEMENT(float2);
TEAMSAN_IMPL_VECTOR_ELEMENT(float4);
TEAMSAN_IMPL_VECTOR_ELEMENT(double2);
#undef TEAMSAN_IMPL_VECTOR_ELEMENT
#endif

enum class vectorize_fallback { none, odd_items, not_a_pointer, not_a_vector_type, not_aligned };

/// Why, in words; nullptr for none.
KOKKOS_INLINE_FUNCTION constexpr char const* to_string(vectorize_fallback reason) {
  switch (reason) {
    case vectorize_fallback::none:
      return nullptr;
    case vectorize_fallback::odd_items:
      return "ITEMS is odd";
    case vectorize_fallback::not_a_pointer:
      return "the iterator is not a plain pointer to the items' type";
    case vectorize_fallback::not_a_vector_type:
      return "the element is neither a built-in type nor a vector type";
    case vectorize_fallback::not_aligned:
      return "the warp's tile does not start at a multiple of 16 bytes";
  }
  return nullptr;
}

/// What is known when compiling, for items of type T: never not_aligned.
template <int ITEMS, class Iterator, class T = std::remove_cv_t<std::remove_pointer_t<Iterator>>>
KOKKOS_INLINE_FUNCTION constexpr vectorize_fallback vectorize_fallback_of() {
  if (ITEMS % 2 != 0) return vectorize_fallback::odd_items;
  if (!std::is_pointer_v<Iterator> ||
      !std::is_same_v<std::remove_const_t<std::remove_pointer_t<Iterator>>, T>)
    return vectorize_fallback::not_a_pointer;  // volatile, or of a type that items are converted to
  if (!is_vector_element<T>::value) return vectorize_fallback::not_a_vector_type;
  return vectorize_fallback::none;
}

/// For a warp's tile that starts at `tile`.
template <int ITEMS, class Iterator>
KOKKOS_INLINE_FUNCTION vectorize_fallback vectorize_fallback_of([[maybe_unused]] Iterator tile) {
  constexpr vectorize_fallback known = vectorize_fallback_of<ITEMS, Iterator>();
  if constexpr (known == vectorize_fallback::none)
    return reinterpret_cast<std::uintptr_t>(tile) % widest_vector == 0 ? known
                                                                       : vectorize_fallback::not_aligned;
  else
    return known;
}

/// Items of one vector access: the most that divide ITEMS and fill 16 bytes at most.
template <class T, int ITEMS>
constexpr int vector_items = [] {
  int width = 1;
  while (ITEMS % (2 * width) == 0 && 2 * width * static_cast<int>(sizeof(T)) <= widest_vector) width *= 2;
  return width;
}();

namespace Impl {

/// WIDTH neighbours in memory at once. A GPU's compiler makes a vector access of the aligned struct; for the
/// host it is a copy, which the simulated GPU sees as the one access that it stands for.
template <class T, int WIDTH>
struct alignas(WIDTH * sizeof(T)) Vector {
  T item[WIDTH];
};

template <int WIDTH, class T>
KOKKOS_FORCEINLINE_FUNCTION void store_vector(T* to, T const* from) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  Vector<T, WIDTH> vector;
  for (int i = 0; i < WIDTH; ++i) vector.item[i] = from[i];
  *reinterpret_cast<Vector<T, WIDTH>*>(to) = vector;
#else
  std::memcpy(to, from, WIDTH * sizeof(T));
#endif
}

template <int WIDTH, class T>
KOKKOS_FORCEINLINE_FUNCTION void load_vector(T* to, T const* from) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  Vector<T, WIDTH> const vector = *reinterpret_cast<Vector<T, WIDTH> const*>(from);
  for (int i = 0; i < WIDTH; ++i) to[i] = vector.item[i];
#else
  std::memcpy(to, from, WIDTH * sizeof(T));
#endif
}

}  // namespace Impl

}  // namespace teamsan
