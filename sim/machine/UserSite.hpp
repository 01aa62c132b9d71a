// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where in the user's code an atomic operation stands. Compiled without optimisation, Kokkos' atomics are functions of
/// their own, several calls away from the line that means something to the user.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>

namespace teamsan {

/// `site`, or, if it lies in a function of Kokkos or the standard library into which nothing of the user's was inlined,
/// the innermost call site of the running lane that does not. Remembered per instruction.
Site user_site(Site site);
/// The same where the running lane is known to be one, also from within the runtime.
Site users_call(Site site);

/// Kokkos makes atomics of types that the hardware cannot swap by locks of its own, with fences around the update. These
/// are no order that the user asked for: on such a type, too, Kokkos' atomics are relaxed. True for the running lane's
/// atomic operation at `site` on `address` if it takes or leaves such a lock, and for its fence if it belongs to such an
/// update.
bool takes_kokkos_lock(Site site, std::uintptr_t address);
bool fences_for_kokkos_lock(Site site);
/// Of an operation that takes or leaves such a lock: whether that is for an atomic load.
bool loads_under_kokkos_lock(Site site);

}  // namespace teamsan
