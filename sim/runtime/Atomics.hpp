// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An atomic operation of the running lane (or the host), as the checks see it; the operation itself lies between the two.
#pragma once

#include "../../traces/Site.hpp"
#include "../../model/device/WarpAccess.hpp"

#include <cstdint>

namespace teamsan {

/// It is about to be carried out. `by_volatile`: see below.
void begin_atomic(std::uintptr_t address, unsigned log_bytes, model::Operation operation, Site site, bool updates,
                  model::AtomicKind atomic, bool by_volatile = false);

/// A lane has carried it out, and memory has changed or is as it was: progress, or a sign of waiting.
void end_atomic(bool changed, Site site);

/// The same where a lane has left one of Kokkos' locks, under which it has only loaded, or more.
void left_kokkos_lock(bool only_loaded, Site site);

/// A lane is about to make an access through a pointer to volatile, of 2^log_bytes aligned bytes. To CUDA and HIP that is a
/// strong one of relaxed order, as an atomic load or store; under --sync portable it is a plain one, as in C++.
void volatile_load(std::uintptr_t address, unsigned log_bytes, Site site);
void volatile_store(std::uintptr_t address, unsigned log_bytes, Site site);

}  // namespace teamsan
