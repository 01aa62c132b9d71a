#include "uninstrumented.hpp"

int uninstrumented(Kokkos::Stranger) { return 1; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
