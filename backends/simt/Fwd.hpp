// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Names of the simulated GPU's spaces, before Kokkos has declared anything of its own. Includes nothing of
/// Kokkos.
#pragma once

namespace teamsan {

class Simt;                 ///< execution space: the simulated GPU
class SimtSpace;            ///< its own memory
class SimtSharedSpace;      ///< memory that host and lanes may touch
class SimtHostPinnedSpace;  ///< host memory that lanes may touch

}  // namespace teamsan
