// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All of a program is compiled with the overlay or none of it: `RangePolicy<>` and `View<T*>` mean something
/// else with it, under the same mangled names. Decided at start-up, from a note that each translation unit
/// leaves. It cannot see a unit that includes nothing of TeamSan, thus one compiled against plain Kokkos
/// without the overlay.
#pragma once

#include <Kokkos_Core_fwd.hpp>

#include "Fwd.hpp"

#include <type_traits>

namespace teamsan::simt {

enum class Overlay : bool { absent, present };

/// Notes how the translation unit `file` was compiled. Kokkos::initialize() ends a mixed program with a
/// sentence that names one unit of each kind.
int note_translation_unit(Overlay overlay, char const* file);
/// For Simt::impl_initialize.
void check_translation_units();

#ifdef TEAMSAN_OVERLAY
static_assert(std::is_same_v<Kokkos::DefaultExecutionSpace, Simt>,
              "The overlay is on, yet Kokkos' default execution space is another one.");
static_assert(std::is_same_v<Kokkos::SharedSpace, SimtSharedSpace>,
              "The overlay is on, yet Kokkos::SharedSpace is another space.");
#endif

#ifndef TEAMSAN_BUILDING_SIMT
namespace {
#ifdef TEAMSAN_OVERLAY
[[maybe_unused]] int const overlay_noted = note_translation_unit(Overlay::present, __BASE_FILE__);
#else
[[maybe_unused]] int const overlay_noted = note_translation_unit(Overlay::absent, __BASE_FILE__);
#endif
}  // namespace
#endif

}  // namespace teamsan::simt
