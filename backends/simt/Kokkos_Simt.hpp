// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The simulated GPU as a Kokkos backend, whole. Programs that name teamsan::Simt include this after, or in
/// place of, Kokkos_Core.hpp; with the overlay Kokkos_Core.hpp includes it itself, where it includes its own
/// backends.
#pragma once

#include <Kokkos_Core.hpp>

// Kokkos' internal headers refuse to be included from outside; a backend is inside.
#ifndef KOKKOS_IMPL_PUBLIC_INCLUDE
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#define TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#endif

#include "versions/Supported.hpp"

#include "Origin.hpp"

#include "spaces/ExecutionSpace.hpp"

#include "memory/ScratchSpace.hpp"

#include "memory/DeepCopy.hpp"
#include "memory/ViewAccess.hpp"
#include "memory/ViewShape.hpp"
#include "memory/ZeroMemset.hpp"
#include "policies/MDRangePolicy.hpp"

#include "policies/ParallelFor_MDRange.hpp"
#include "policies/ParallelFor_Range.hpp"
#include "policies/ParallelFor_ViewCopy.hpp"
#include "policies/ParallelReduce_MDRange.hpp"
#include "policies/ParallelReduce_Range.hpp"
#include "policies/ParallelScan_Range.hpp"

#include "libraries/KokkosKernels.hpp"
#include "libraries/Random.hpp"
#include "libraries/StdAlgorithms.hpp"
#include "libraries/UniqueToken.hpp"

#include "nested/MDRange.hpp"
#include "nested/Ranges.hpp"
#include "nested/Reduce.hpp"
#include "nested/Scan.hpp"
#include "nested/Single.hpp"
#include "policies/ParallelFor_Team.hpp"
#include "policies/ParallelReduce_Team.hpp"

#include "policies/ParallelFor_WorkGraph.hpp"

#include "OverlayCheck.hpp"

#ifdef TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#undef KOKKOS_IMPL_PUBLIC_INCLUDE
#undef TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#endif
