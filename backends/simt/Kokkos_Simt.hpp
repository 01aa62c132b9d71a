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

#include "Kokkos_Simt_Versions.hpp"

#include "Kokkos_Simt_Space.hpp"

#include "Kokkos_Simt_ScratchSpace.hpp"

#include "Kokkos_Simt_DeepCopy.hpp"
#include "Kokkos_Simt_MDRangePolicy.hpp"
#include "Kokkos_Simt_ViewAccess.hpp"
#include "Kokkos_Simt_ViewShape.hpp"
#include "Kokkos_Simt_ZeroMemset.hpp"

#include "Kokkos_Simt_ParallelFor_MDRange.hpp"
#include "Kokkos_Simt_ParallelFor_Range.hpp"
#include "Kokkos_Simt_ParallelReduce_MDRange.hpp"
#include "Kokkos_Simt_ParallelReduce_Range.hpp"
#include "Kokkos_Simt_ParallelScan_Range.hpp"

#include "Kokkos_Simt_KokkosKernels.hpp"
#include "Kokkos_Simt_Random.hpp"
#include "Kokkos_Simt_StdAlgorithms.hpp"
#include "Kokkos_Simt_UniqueToken.hpp"

#include "Kokkos_Simt_ParallelFor_Team.hpp"
#include "Kokkos_Simt_ParallelReduce_Team.hpp"
#include "Kokkos_Simt_TeamMDRange.hpp"
#include "Kokkos_Simt_TeamRanges.hpp"
#include "Kokkos_Simt_TeamReduce.hpp"
#include "Kokkos_Simt_TeamScan.hpp"
#include "Kokkos_Simt_TeamSingle.hpp"

#include "Kokkos_Simt_ParallelFor_WorkGraph.hpp"

#include "Kokkos_Simt_OverlayCheck.hpp"

#ifdef TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#undef KOKKOS_IMPL_PUBLIC_INCLUDE
#undef TEAMSAN_IMPL_PUBLIC_INCLUDE_NOTDEFINED
#endif
