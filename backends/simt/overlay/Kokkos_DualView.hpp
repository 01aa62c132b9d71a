// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name, which stays the host's under whatever name a program is checked (as/). Where a
/// DualView tells tools that a side was modified or copied, the simulated GPU is told which sides it has.
#pragma once
#pragma GCC system_header

#include <Kokkos_Core.hpp>

#include "../libraries/DualView.hpp"

#pragma push_macro("modifyDualView")
#pragma push_macro("syncDualView")
#define modifyDualView(...) modifyDualView(__VA_ARGS__), ::teamsan::simt::note_sides(d_view, h_view, modified_flags.data())
#define syncDualView(...) syncDualView(__VA_ARGS__), ::teamsan::simt::note_sides(d_view, h_view, modified_flags.data())
#include "../as/Hide.hpp"
#include_next <Kokkos_DualView.hpp>
#include "../as/Show.hpp"
#pragma pop_macro("syncDualView")
#pragma pop_macro("modifyDualView")
