// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' generated header of this name, read by Kokkos_Core.hpp: the simulated GPU after the
/// host's backends.
#pragma once
#pragma GCC system_header

#include_next <KokkosCore_Config_DeclareBackend.hpp>

#include "../Kokkos_Simt.hpp"
