/// Read by model/usm/Backend.hpp where it finds it: the simulated GPU's unified shared memory.
#pragma once

#include <teamsan/simt/memory/Usm.hpp>
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
