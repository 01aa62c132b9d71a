// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The nested ranges and their parallel_for. Work goes to lanes in strides, as on CUDA: TeamThreadRange by
/// thread (every vector lane of it runs the body), ThreadVectorRange by vector lane, TeamVectorRange by both.
/// What the end of each synchronises is a row of sim/base/Synchronisation.def.
#pragma once

#include "../Macros.hpp"
#include "../team/TeamMember.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <Kokkos_ExecPolicy.hpp>

#include <memory>
#include <type_traits>

namespace Kokkos::Impl {

template <typename Index>
struct TeamThreadRangeBoundariesStruct<Index, SimtTeamMember> {
  using index_type = Index;
  SimtTeamMember const& member;
  Index const start;
  Index const end;

  TEAMSAN_NO_INSTRUMENT TeamThreadRangeBoundariesStruct(SimtTeamMember const& team, Index count)
      : member(team), start(0), end(count) {}
  TEAMSAN_NO_INSTRUMENT TeamThreadRangeBoundariesStruct(SimtTeamMember const& team, Index begin, Index end_)
      : member(team), start(begin), end(end_) {}
};

template <typename Index>
struct TeamVectorRangeBoundariesStruct<Index, SimtTeamMember> {
  using index_type = Index;
  SimtTeamMember const& member;
  Index const start;
  Index const end;

  TEAMSAN_NO_INSTRUMENT TeamVectorRangeBoundariesStruct(SimtTeamMember const& team, Index const& count)
      : member(team), start(0), end(count) {}
  TEAMSAN_NO_INSTRUMENT TeamVectorRangeBoundariesStruct(SimtTeamMember const& team, Index const& begin,
                                                        Index const& end_)
      : member(team), start(begin), end(end_) {}
};

template <typename Index>
struct ThreadVectorRangeBoundariesStruct<Index, SimtTeamMember> {
  using index_type = Index;
  Index const start;
  Index const end;

  TEAMSAN_NO_INSTRUMENT ThreadVectorRangeBoundariesStruct(SimtTeamMember const&, Index count)
      : start(0), end(count) {}
  TEAMSAN_NO_INSTRUMENT ThreadVectorRangeBoundariesStruct(SimtTeamMember const&, Index begin, Index end_)
      : start(begin), end(end_) {}
};

template <typename Index>
using SimtThreadRange = TeamThreadRangeBoundariesStruct<Index, SimtTeamMember>;
template <typename Index>
using SimtTeamVectorRange = TeamVectorRangeBoundariesStruct<Index, SimtTeamMember>;
template <typename Index>
using SimtVectorRange = ThreadVectorRangeBoundariesStruct<Index, SimtTeamMember>;

/// The calling lane's part of a range: from `first` in steps of `stride`, and the scope its body is in. It may stand for
/// several lanes, which begin one behind the other.
struct SimtShare {
  std::uint32_t first;
  std::uint32_t stride;
  teamsan::Scope scope;
  std::uint32_t lanes;
};

template <typename Index>
TEAMSAN_NO_INSTRUMENT SimtShare simt_share(SimtThreadRange<Index> const&) {
  auto const& lane = teamsan::this_lane();
  return {lane.thread, lane.team_size, teamsan::Scope::team_thread_range, 1};
}
template <typename Index>
TEAMSAN_NO_INSTRUMENT SimtShare simt_share(SimtTeamVectorRange<Index> const&) {
  auto const& lane = teamsan::this_lane();
  return {lane.index * lane.folded, lane.team_size * lane.vector_length * lane.folded, teamsan::Scope::team_vector_range,
          lane.folded};
}
template <typename Index>
TEAMSAN_NO_INSTRUMENT SimtShare simt_share(SimtVectorRange<Index> const&) {
  auto const& lane = teamsan::this_lane();
  return {lane.vector_lane, lane.vector_length * lane.folded, teamsan::Scope::thread_vector_range, lane.folded};
}

/// The end of a value that the construct keeps on the lane's stack for the body; nullptr: there is none.
TEAMSAN_NO_INSTRUMENT inline void const* simt_end_of() { return nullptr; }
template <class Value>
TEAMSAN_NO_INSTRUMENT void const* simt_end_of(Value const& value) {
  return std::addressof(value) + 1;
}

/// Runs `body(i)` or `body(i, value)` for the calling lane's part of the range; `next()` behind each lane's that it stands for.
template <class Range, class Next, class Body, class... Value>
TEAMSAN_NO_INSTRUMENT void simt_run_share(Range const& range, void const* site, Next const& next, Body const& body,
                                          Value&... value) {
  using Index = typename Range::index_type;
  SimtShare const share = simt_share(range);
  teamsan::ScopeGuard const scope(share.scope, site, simt_end_of(value...));
  for (std::uint32_t lane = 0; lane != share.lanes; ++lane) {
    for (Index i = range.start + static_cast<Index>(share.first + lane); i < range.end; i += static_cast<Index>(share.stride))
      teamsan::simt::run_user_code(body, std::as_const(i), value...);
    next();
  }
}
template <class Range, class Body>
TEAMSAN_NO_INSTRUMENT void simt_run_share(Range const& range, void const* site, Body const& body) {
  simt_run_share(range, site, [] {}, body);
}

}  // namespace Kokkos::Impl

namespace Kokkos {

template <typename Index>
TEAMSAN_NO_INSTRUMENT Impl::SimtThreadRange<Index> TeamThreadRange(Impl::SimtTeamMember const& team,
                                                                   Index count) {
  return {team, count};
}
template <typename Begin, typename End>
TEAMSAN_NO_INSTRUMENT Impl::SimtThreadRange<std::common_type_t<Begin, End>> TeamThreadRange(
    Impl::SimtTeamMember const& team, Begin begin, End end) {
  using Index = std::common_type_t<Begin, End>;
  return {team, static_cast<Index>(begin), static_cast<Index>(end)};
}

template <typename Index>
TEAMSAN_NO_INSTRUMENT Impl::SimtTeamVectorRange<Index> TeamVectorRange(Impl::SimtTeamMember const& team,
                                                                       Index const& count) {
  return {team, count};
}
template <typename Begin, typename End>
TEAMSAN_NO_INSTRUMENT Impl::SimtTeamVectorRange<std::common_type_t<Begin, End>> TeamVectorRange(
    Impl::SimtTeamMember const& team, Begin const& begin, End const& end) {
  using Index = std::common_type_t<Begin, End>;
  return {team, static_cast<Index>(begin), static_cast<Index>(end)};
}

template <typename Index>
TEAMSAN_NO_INSTRUMENT Impl::SimtVectorRange<Index> ThreadVectorRange(Impl::SimtTeamMember const& team,
                                                                     Index count) {
  return {team, count};
}
template <typename Begin, typename End>
TEAMSAN_NO_INSTRUMENT Impl::SimtVectorRange<std::common_type_t<Begin, End>> ThreadVectorRange(
    Impl::SimtTeamMember const& team, Begin begin, End end) {
  using Index = std::common_type_t<Begin, End>;
  return {team, static_cast<Index>(begin), static_cast<Index>(end)};
}

template <typename Index, class Closure>
TEAMSAN_ENTRY void parallel_for(Impl::SimtThreadRange<Index> const& range, Closure const& closure) {
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_share(range, site, closure);
  teamsan::meet(teamsan::Meeting::thread_range_end, nullptr, nullptr, nullptr, site);
}

template <typename Index, class Closure>
TEAMSAN_ENTRY void parallel_for(Impl::SimtTeamVectorRange<Index> const& range, Closure const& closure) {
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_share(range, site, closure);
  teamsan::meet(teamsan::Meeting::team_vector_range_end, nullptr, nullptr, nullptr, site);
}

template <typename Index, class Closure>
TEAMSAN_ENTRY void parallel_for(Impl::SimtVectorRange<Index> const& range, Closure const& closure) {
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_share(range, site, closure);
  teamsan::meet(teamsan::Meeting::vector_range_end, nullptr, nullptr, nullptr, site);
}

}  // namespace Kokkos
