// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not once: around each of Kokkos' headers that is read after Kokkos_Core.hpp and asks which backends Kokkos was built with.
// Only the program is to believe in the backend that it is checked as. Show.hpp is its end.
#pragma push_macro("KOKKOS_ENABLE_CUDA")
#pragma push_macro("KOKKOS_ENABLE_HIP")
#pragma push_macro("KOKKOS_ENABLE_SYCL")
#undef KOKKOS_ENABLE_CUDA
#undef KOKKOS_ENABLE_HIP
#undef KOKKOS_ENABLE_SYCL
