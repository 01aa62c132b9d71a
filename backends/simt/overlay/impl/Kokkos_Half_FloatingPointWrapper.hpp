// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name: half_t and bhalf_t have two bytes, as on a GPU (libraries/Half.hpp). That they are
/// no floats, KokkosCore_Config_SetupBackend.hpp has said.
#pragma once
#pragma GCC system_header

#include "../../libraries/Half.hpp"

#include_next <impl/Kokkos_Half_FloatingPointWrapper.hpp>

#include "../../libraries/HalfConversions.hpp"
