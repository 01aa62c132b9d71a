// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// leak: what the program leaves in the GPU's memory. Decided at its end: what was there when Kokkos::finalize came to the
/// simulated GPU, or, where it never did, what is there at the program's end. Allocations of one line and label are one
/// finding; what Kokkos allocates for itself, by its label and without a line of the user's, is none.
#pragma once

#include "../base/Api.hpp"
#include "Holders.hpp"
#include "../../traces/TraceRecords.hpp"

namespace teamsan {

/// A backend's: Kokkos::finalize ends it. What is allocated now outlives that.
TEAMSAN_API void note_finalized();

/// The same in a replay, with what led to allocations in the run.
void replay_finalized(traces::FinalizeRecord const& recorded);

}  // namespace teamsan

namespace teamsan::detect {

enum class ProgramEnd : std::uint8_t {
  own,      ///< main returned, or exit was called
  early,    ///< a crash, _exit, exec, --halt-on-error: objects were not destroyed
  of_child  ///< fork made the process: what its parent left is not its own
};
void report_leaks(ProgramEnd how);

}  // namespace teamsan::detect
