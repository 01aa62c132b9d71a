// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos::single in its four forms. What each synchronises after the body is a row of
/// sim/base/Synchronisation.def: the forms without a value meet the lanes of the calling thread only (also
/// PerTeam: no barrier of the team!), PerThread with a value gives lane 0's value to the thread's lanes, PerTeam
/// with a value is a broadcast.
#pragma once

#include "../Macros.hpp"
#include "../launch/UserValue.hpp"
#include "../team/Combine.hpp"
#include "../team/TeamMember.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <Kokkos_ExecPolicy.hpp>

namespace Kokkos {

TEAMSAN_NO_INSTRUMENT inline Impl::ThreadSingleStruct<Impl::SimtTeamMember> PerTeam(
    Impl::SimtTeamMember const& team) {
  return Impl::ThreadSingleStruct<Impl::SimtTeamMember>(team);
}

TEAMSAN_NO_INSTRUMENT inline Impl::VectorSingleStruct<Impl::SimtTeamMember> PerThread(
    Impl::SimtTeamMember const& team) {
  return Impl::VectorSingleStruct<Impl::SimtTeamMember>(team);
}

namespace Impl {

/// `body(value...)` on the one lane chosen.
template <class Body, class... Value>
TEAMSAN_NO_INSTRUMENT void simt_run_single(bool chosen, teamsan::Scope scope, void const* site,
                                           Body const& body, Value&... value) {
  if (!chosen) return;
  teamsan::ScopeGuard const guard(scope, site);
  teamsan::simt::run_user_code(body, value...);
}

}  // namespace Impl

template <class Body>
TEAMSAN_ENTRY void single(Impl::VectorSingleStruct<Impl::SimtTeamMember> const&, Body const& body) {
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_single(teamsan::this_lane().vector_lane == 0, teamsan::Scope::single_per_thread, site, body);
  teamsan::meet(teamsan::Meeting::single_thread, nullptr, nullptr, nullptr, site);
}

template <class Body>
TEAMSAN_ENTRY void single(Impl::ThreadSingleStruct<Impl::SimtTeamMember> const&, Body const& body) {
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_single(teamsan::this_lane().index == 0, teamsan::Scope::single_per_team, site, body);
  teamsan::meet(teamsan::Meeting::single_team, nullptr, nullptr, nullptr, site);
}

template <class Body, class Value>
TEAMSAN_ENTRY void single(Impl::VectorSingleStruct<Impl::SimtTeamMember> const&, Body const& body,
                          Value& value) {
  using Combine = teamsan::simt::CombineBroadcast<Value>;
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_single(teamsan::this_lane().vector_lane == 0, teamsan::Scope::single_per_thread, site, body,
                        value);
  Value own(value);
  typename Combine::Context const context{0};
  teamsan::meet(teamsan::Meeting::single_thread_value, &own, &Combine::from_source, &context, site);
  teamsan::simt::write_user_value(value, own, site);
}

template <class Body, class Value>
TEAMSAN_ENTRY void single(Impl::ThreadSingleStruct<Impl::SimtTeamMember> const& which, Body const& body,
                          Value& value) {
  void const* const site = __builtin_return_address(0);
  Impl::simt_run_single(teamsan::this_lane().index == 0, teamsan::Scope::single_per_team, site, body, value);
  which.team_member.impl_broadcast(value, 0, teamsan::Meeting::single_team_value, site);
}

}  // namespace Kokkos
