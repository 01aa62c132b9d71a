// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// wrong-space of an access that Kokkos refuses: host code asks a View of device memory for an element, and Kokkos ends the
/// program before anything is touched. Told at the user's line, as the access itself would have been.
#pragma once

#include "../base/Api.hpp"

namespace teamsan {

/// `data`: of the View, nullptr: unknown. To be called where Kokkos refuses, before the program ends.
TEAMSAN_API void refused_host_access(void const* data);

}  // namespace teamsan
