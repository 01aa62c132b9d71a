// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Launches that the simulated GPU never saw, since the program named another execution space. Decides from kernel labels
/// whether a program whose kernels ran there can be called checked. What Kokkos launches for itself (to initialise or copy
/// Views, to fill a pool of random numbers) is no kernel of the program's. It cannot see launches while the program has
/// Kokkos' tools paused.
#pragma once

#include "Report.hpp"

#include <string_view>

namespace teamsan {

/// Adds what a reader must know of program.other_launches to its notes, and takes program.judged back where it says that
/// nothing was checked. `gpu_kernels`: did a kernel of the program's run on the simulated GPU? `mode`: as --other-spaces.
void judge_other_spaces(ProgramFacts& program, bool gpu_kernels, std::string_view mode);

}  // namespace teamsan
