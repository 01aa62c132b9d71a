// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The older name of sycl/sycl.hpp.
#pragma once
#pragma GCC system_header

#include "../sycl/sycl.hpp"
