// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The simulated GPU under the name of Kokkos' HIP backend.
#define TEAMSAN_AS_HIP
inline constexpr int expected_width = 64;
#include "SimtAs.hpp"
