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

#include <teamsan/simt/versions/Supported.hpp>

#include <teamsan/simt/Origin.hpp>

#include <teamsan/simt/spaces/ExecutionSpace.hpp>

#include <teamsan/simt/memory/ScratchSpace.hpp>

#include <teamsan/simt/memory/DeepCopy.hpp>
#include <teamsan/simt/memory/ViewAccess.hpp>
#include <teamsan/simt/memory/ViewShape.hpp>
#include <teamsan/simt/memory/ZeroMemset.hpp>
#include <teamsan/simt/policies/MDRangePolicy.hpp>

#include <teamsan/simt/policies/ParallelFor_MDRange.hpp>
#include <teamsan/simt/policies/ParallelFor_Range.hpp>
#include <teamsan/simt/policies/ParallelFor_ViewCopy.hpp>
#include <teamsan/simt/policies/ParallelReduce_MDRange.hpp>
#include <teamsan/simt/policies/ParallelReduce_Range.hpp>
#include <teamsan/simt/policies/ParallelScan_Range.hpp>

#include <teamsan/simt/libraries/KokkosKernels.hpp>
#include <teamsan/simt/libraries/Random.hpp>
#include <teamsan/simt/libraries/StdAlgorithms.hpp>
#include <teamsan/simt/libraries/UniqueToken.hpp>

#include <teamsan/simt/nested/MDRange.hpp>
#include <teamsan/simt/nested/Ranges.hpp>
#include <teamsan/simt/nested/Reduce.hpp>
#include <teamsan/simt/nested/Scan.hpp>
#include <teamsan/simt/nested/Single.hpp>
#include <teamsan/simt/policies/ParallelFor_Team.hpp>
#include <teamsan/simt/policies/ParallelReduce_Team.hpp>

#include <teamsan/simt/policies/ParallelFor_WorkGraph.hpp>

#include <teamsan/simt/OverlayCheck.hpp>

#ifdef TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#undef KOKKOS_IMPL_PUBLIC_INCLUDE
#undef TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
