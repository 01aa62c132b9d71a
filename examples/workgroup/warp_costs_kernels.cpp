// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of warp_costs.cpp.
#include "warp_costs.hpp"

template void warp_costs::run_all<float>(char const*);
template void warp_costs::run_all<double>(char const*);
