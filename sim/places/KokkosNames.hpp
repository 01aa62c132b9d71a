/// What Kokkos' own names decide: labels of its launches.
#pragma once

#include <string_view>

namespace teamsan {

/// Is it Kokkos' own launch, by its label? Algorithms, though labelled by Kokkos, run the caller's code.
bool is_kokkos_own(std::string_view label);

/// On the simulated GPU: is it more than initialising and copying Views?
bool is_kernel(std::string_view label);

}  // namespace teamsan
