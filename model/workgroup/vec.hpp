// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Small vectors as WGSL has them: vec2f, vec3f, vec4f, and the same of int (i) and unsigned (u); vec2d
/// besides. Sizes and alignments are WGSL's, but for a vec3's size, which is 16 bytes here (12 there) since a
/// C++ object fills its alignment. A vec2 or vec4 is loaded and stored by one access of a lane. Source: WGSL,
/// section "Alignment and Size".
#pragma once

#include "cxx20.hpp"

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace teamsan {

template <class T, int N>
struct vec;

template <class T>
struct alignas(2 * sizeof(T)) vec<T, 2> {
  T x, y;
  friend constexpr bool operator==(vec const&, vec const&) = default;
};
template <class T>
struct alignas(4 * sizeof(T)) vec<T, 3> {
  T x, y, z;
  friend constexpr bool operator==(vec const&, vec const&) = default;
};
template <class T>
struct alignas(4 * sizeof(T)) vec<T, 4> {
  T x, y, z, w;
  friend constexpr bool operator==(vec const&, vec const&) = default;
};

using vec2f = vec<float, 2>;
using vec3f = vec<float, 3>;
using vec4f = vec<float, 4>;
using vec2i = vec<int, 2>;
using vec3i = vec<int, 3>;
using vec4i = vec<int, 4>;
using vec2u = vec<unsigned, 2>;
using vec3u = vec<unsigned, 3>;
using vec4u = vec<unsigned, 4>;
using vec2d = vec<double, 2>;

static_assert(sizeof(vec2f) == 8 && alignof(vec2f) == 8 && sizeof(vec4f) == 16 && alignof(vec4f) == 16);
static_assert(sizeof(vec3f) == 16 && alignof(vec3f) == 16 && std::is_trivially_copyable_v<vec4f>);

template <class T>
struct is_vec : std::false_type {};
template <class T, int N>
struct is_vec<vec<T, N>> : std::true_type {};

}  // namespace teamsan
