// The end of Hide.hpp.
#pragma pop_macro("KOKKOS_ENABLE_CUDA")
#pragma pop_macro("KOKKOS_ENABLE_HIP")
#pragma pop_macro("KOKKOS_ENABLE_SYCL")
