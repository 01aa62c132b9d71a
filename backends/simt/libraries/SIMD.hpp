// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos' SIMD types on the simulated GPU: a lane's simd is one value, as on CUDA, HIP and SYCL. To be read before
/// Kokkos_SIMD.hpp, which asks for the default space's kind of simd at once: by the overlay, or by programs without it.
#pragma once

#include "../versions/SimdAbi.hpp"
