// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos' algorithms ask of a GPU: a team-level scan inside an algorithm is done by one lane, as on
/// CUDA and HIP. Declared before their headers are read, so that they need not be included here.
#pragma once

#include "../Fwd.hpp"

#include <type_traits>

namespace Kokkos::Experimental::Impl {

template <typename T>
struct stdalgo_must_use_kokkos_single_for_team_scan;
template <>
struct stdalgo_must_use_kokkos_single_for_team_scan<teamsan::Simt> : std::true_type {};

}  // namespace Kokkos::Experimental::Impl
