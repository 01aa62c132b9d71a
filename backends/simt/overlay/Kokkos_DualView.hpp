// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name, which stays the host's under whatever name a program is checked (as/).
#pragma once
#pragma GCC system_header

#include <Kokkos_Core.hpp>

#include "../as/Hide.hpp"
#include_next <Kokkos_DualView.hpp>
#include "../as/Show.hpp"
