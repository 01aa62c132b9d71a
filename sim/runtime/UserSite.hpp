/// Where in the user's code an atomic operation stands. Compiled without optimisation, Kokkos' atomics are functions of
/// their own, several calls away from the line that means something to the user.
#pragma once

#include <cstdint>

namespace teamsan {

/// `pc`, or, if it lies in a function of Kokkos or the standard library into which nothing of the user's was inlined,
/// the innermost call site of the running lane that does not. Remembered per instruction.
std::uintptr_t user_site(std::uintptr_t pc);

}  // namespace teamsan
