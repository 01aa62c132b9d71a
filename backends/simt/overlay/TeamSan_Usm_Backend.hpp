// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Read by model/usm/Backend.hpp where it finds it: the simulated GPU's unified shared memory.
#pragma once
#pragma GCC system_header

#include "../memory/Usm.hpp"
