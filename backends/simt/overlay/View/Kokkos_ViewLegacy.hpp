// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over the header that defines the View of Kokkos 4 (versions/LegacyView.hpp). The one call in it of what allocates
/// for a View tells the View's shape first. What that header includes is read before, or the macro would reach it.
#pragma once
#pragma GCC system_header

#include <Kokkos_Core_fwd.hpp>
#include <View/Kokkos_ViewTraits.hpp>
#include <View/Kokkos_ViewMapping.hpp>

#include "../../versions/LegacyView.hpp"

#define allocate_shared(PROPERTIES, LAYOUT, ...) \
  allocate_shared(PROPERTIES, ::teamsan::simt::announce<traits>(PROPERTIES, LAYOUT), __VA_ARGS__)
#include_next <View/Kokkos_ViewLegacy.hpp>
#undef allocate_shared
