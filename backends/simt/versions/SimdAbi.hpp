// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How Kokkos_SIMD.hpp asks a space for its kind of simd: Impl::ForSpace's `type` until 4.6, `type<T>` since 4.7;
/// `simd_abi<N>` until 4.7, `simd_abi<T, N>` since 5.0. A name cannot be both, and the header that tells them apart is yet to
/// be read here: decided by headers that came with 4.7, and went with 5.0.
#pragma once

#include "../Fwd.hpp"

namespace Kokkos::Experimental::simd_abi {

class scalar;

namespace Impl {

template <class Space>
struct ForSpace;

template <>
struct ForSpace<teamsan::Simt> {
#if __has_include(<Kokkos_SIMD_SVE.hpp>)
  template <class T>
  using type = scalar;
#else
  using type = scalar;
#endif

#if __has_include(<Kokkos_TaskScheduler.hpp>)
  template <int N>
  using simd_abi = scalar;
#else
  template <class T, auto N>
  using simd_abi = scalar;
#endif
};

}  // namespace Impl

}  // namespace Kokkos::Experimental::simd_abi
