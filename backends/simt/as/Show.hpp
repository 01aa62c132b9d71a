// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of Hide.hpp.
#pragma pop_macro("KOKKOS_ENABLE_CUDA")
#pragma pop_macro("KOKKOS_ENABLE_HIP")
#pragma pop_macro("KOKKOS_ENABLE_SYCL")
