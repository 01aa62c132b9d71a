// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "uninstrumented.hpp"

int uninstrumented(Kokkos::Stranger) { return 1; }
