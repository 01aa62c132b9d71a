// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated GPU under the name of Kokkos' CUDA backend.
#define TEAMSAN_AS_CUDA
inline constexpr int expected_width = 32;
#include "SimtAs.hpp"
