// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated GPU under the name of Kokkos' SYCL backend.
#define TEAMSAN_AS_SYCL
inline constexpr int expected_width = 16;
#include "SimtAs.hpp"
