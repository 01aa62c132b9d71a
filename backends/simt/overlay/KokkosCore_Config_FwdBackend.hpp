// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' generated header of this name, read by Kokkos_Core_fwd.hpp before it picks the
/// default execution space: the simulated GPU takes the name of a backend that this Kokkos was not built
/// with.
#pragma once
#pragma GCC system_header

#include_next <KokkosCore_Config_FwdBackend.hpp>

#include "../Fwd.hpp"

namespace Kokkos::Experimental {
using OpenACC = ::teamsan::Simt;
}
