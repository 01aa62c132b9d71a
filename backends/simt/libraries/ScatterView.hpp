// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// ScatterView on the simulated GPU, as on CUDA: one copy of the data, added to with atomics. The overlay
/// reads this after Kokkos_ScatterView.hpp; it cannot come earlier, since it opens a namespace
/// (Kokkos::Impl::Experimental) that hides the one Kokkos_Graph.hpp means. Programs without the overlay
/// include it themselves.
#pragma once

#include "../Fwd.hpp"

#include <Kokkos_ScatterView.hpp>

namespace Kokkos::Impl::Experimental {

template <>
struct DefaultDuplication<teamsan::Simt> {
  using type = Kokkos::Experimental::ScatterNonDuplicated;
};
template <>
struct DefaultContribution<teamsan::Simt, Kokkos::Experimental::ScatterNonDuplicated> {
  using type = Kokkos::Experimental::ScatterAtomic;
};
template <>
struct DefaultContribution<teamsan::Simt, Kokkos::Experimental::ScatterDuplicated> {
  using type = Kokkos::Experimental::ScatterAtomic;
};

}  // namespace Kokkos::Impl::Experimental
