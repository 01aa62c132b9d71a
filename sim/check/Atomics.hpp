// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An atomic operation of the running lane (or the host), as the checks see it; the operation itself lies between the two.
#pragma once

#include "../../traces/AtomicDeed.hpp"

namespace teamsan {

/// It is about to be carried out.
void begin_atomic(AtomicDeed const& deed);

/// The lane changes device memory there by an atomic: the first of what begin_atomic does for one, for whoever decides it in
/// line.
void note_atomic_instruction(Site site);

/// A lane has carried it out, and memory has changed or is as it was: progress, or a sign of waiting.
void end_atomic(bool changed, Site site);

/// The same where a lane has left one of Kokkos' locks, under which it has only loaded, or more.
void left_kokkos_lock(bool only_loaded, Site site);

/// A lane is about to make an access through a pointer to volatile, of aligned bytes. To CUDA and HIP that is a strong one of
/// relaxed order, as an atomic load or store; under --sync portable it is a plain one, as in C++.
void volatile_access(AtomicDeed const& deed);

}  // namespace teamsan
