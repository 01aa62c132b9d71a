// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over what Kokkos_View.hpp of Kokkos before 4.5 includes ahead of the View itself. The one call in it of what
/// allocates for a View tells the View's shape first, as in overlay/View/Kokkos_ViewLegacy.hpp. Kokkos_ViewUniformType.hpp,
/// which comes behind the View, ends that.
#pragma once
#pragma GCC system_header

#include_next <impl/Kokkos_ViewMapping.hpp>
#if __has_include(<impl/Kokkos_ViewArray.hpp>)
#include <impl/Kokkos_ViewArray.hpp>
#endif

#include "../../versions/LegacyView.hpp"

#define allocate_shared(PROPERTIES, LAYOUT, ...) \
  allocate_shared(PROPERTIES, ::teamsan::simt::announce<traits>(PROPERTIES, LAYOUT), __VA_ARGS__)
