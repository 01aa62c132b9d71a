// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// As cuda_runtime.h: programs read this one for the same names.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"
