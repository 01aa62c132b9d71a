// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lambdas of the room's own that are always inlined, as its functions are (KOKKOS_FORCEINLINE_FUNCTION): so
/// an access they make stands in the user's function, with the user's line, in a build without optimisation
/// too.
#pragma once

#if defined(__GNUC__)
#define TEAMSAN_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TEAMSAN_INLINE_LAMBDA
#endif
