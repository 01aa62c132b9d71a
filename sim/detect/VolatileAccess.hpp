// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses through pointers to volatile. CUDA and HIP make each a strong one of relaxed order, as an atomic load or store
/// (PTX ISA, "volatile operations"), and so does the simulator; to C++, and under --sync portable, they are plain, and a race
/// of one is told with that reason.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/RawFinding.hpp"

#include <cstdint>

namespace teamsan::detect {

/// The instruction there made such an access under --sync portable.
void note_volatile(Site site);

/// Why and fix of a race, if one of its sides is such an access.
void explain_volatile(RawFinding& race);

}  // namespace teamsan::detect
