/// What Kokkos' containers and algorithms ask of a GPU, where they keep a list of those they know: ScatterView adds
/// with atomics and does not duplicate; a team-level scan of an algorithm is done by one lane, as on CUDA and HIP.
/// Declared before those headers are read, so that they need not be included here.
#pragma once

#include "Kokkos_Simt_Fwd.hpp"

#include <type_traits>

namespace Kokkos::Experimental {

struct ScatterNonDuplicated;
struct ScatterDuplicated;
struct ScatterAtomic;

namespace Impl {

template <typename T>
struct stdalgo_must_use_kokkos_single_for_team_scan;
template <>
struct stdalgo_must_use_kokkos_single_for_team_scan<teamsan::Simt> : std::true_type {};

}  // namespace Impl
}  // namespace Kokkos::Experimental

namespace Kokkos::Impl::Experimental {

template <typename ExecSpace>
struct DefaultDuplication;
template <typename ExecSpace, typename Duplication>
struct DefaultContribution;

template <>
struct DefaultDuplication<teamsan::Simt> {
  using type = Kokkos::Experimental::ScatterNonDuplicated;
};
template <>
struct DefaultContribution<teamsan::Simt, Kokkos::Experimental::ScatterNonDuplicated> {
  using type = Kokkos::Experimental::ScatterAtomic;
};
template <>
struct DefaultContribution<teamsan::Simt, Kokkos::Experimental::ScatterDuplicated> {
  using type = Kokkos::Experimental::ScatterAtomic;
};

}  // namespace Kokkos::Impl::Experimental
