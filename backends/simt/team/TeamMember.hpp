// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The handle a team kernel gets: who the lane is, its scratch, and the collectives of its team. All it
/// decides is which meeting a collective is and what the lanes bring to it; the joins are in
/// team/Combine.hpp. The collectives are never inlined: their return address is the place in the
/// user's code that reports name.
#pragma once

#include "../Macros.hpp"
#include "../launch/UserCode.hpp"
#include "../launch/UserValue.hpp"
#include "../memory/ScratchSpace.hpp"
#include "../spaces/ExecutionSpace.hpp"
#include "Combine.hpp"
#include "JoinOf.hpp"
#include "TeamLimits.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <Kokkos_Atomic.hpp>
#include <Kokkos_Parallel.hpp>

#include <algorithm>
#include <type_traits>

namespace Kokkos::Impl {

/// FunctorAnalysis' view of a nested reduction's reducer or functor.
template <class Analysed, class Value>
using SimtNestedReducer = typename FunctorAnalysis<FunctorPatternInterface::REDUCE, TeamPolicy<teamsan::Simt>,
                                                   Analysed, Value>::Reducer;

/// A program that has code which asks for a lane's place in its thread says so before it begins.
template <class = void>
struct SimtAsksVectorLane {
  static inline bool const said = teamsan::tell_vector_lanes_apart();
};

class SimtTeamMember {
 public:
  using execution_space = teamsan::Simt;
  using scratch_memory_space = execution_space::scratch_memory_space;
  using team_handle = SimtTeamMember;

  /// For the launch: the running lane, and the bytes of scratch it reserved.
  TEAMSAN_NO_INSTRUMENT SimtTeamMember(teamsan::Lane const& lane,
                                       scratch_memory_space::Simulated const& reserved)
      : m_lane(&lane), m_scratch(reserved) {}

  TEAMSAN_NO_INSTRUMENT int league_rank() const { return static_cast<int>(m_lane->league_rank); }
  TEAMSAN_NO_INSTRUMENT int league_size() const { return static_cast<int>(m_lane->league_size); }
  TEAMSAN_NO_INSTRUMENT int team_rank() const {
    teamsan::tell_threads_apart();
    return static_cast<int>(m_lane->thread);
  }
  /// By it a thread takes its share of something: what it does then is its own.
  TEAMSAN_NO_INSTRUMENT int team_size() const {
    teamsan::tell_threads_apart();
    return static_cast<int>(m_lane->team_size);
  }
  TEAMSAN_NO_INSTRUMENT teamsan::Lane const& impl_lane() const { return *m_lane; }

  TEAMSAN_NO_INSTRUMENT scratch_memory_space const& team_shmem() const {
    return m_scratch.set_team_thread_mode(0, 1, 0);
  }
  TEAMSAN_NO_INSTRUMENT scratch_memory_space const& team_scratch(int const& level) const {
    return m_scratch.set_team_thread_mode(level, 1, 0);
  }
  TEAMSAN_NO_INSTRUMENT scratch_memory_space const& thread_scratch(int const& level) const {
    return m_scratch.set_team_thread_mode(level, team_size(), team_rank());
  }

  TEAMSAN_ENTRY void team_barrier() const {
    teamsan::meet(teamsan::Meeting::team_barrier, nullptr, nullptr, nullptr,
                       __builtin_return_address(0));
  }

  // For model/workgroup, which asks for them by name and does without where they are missing.

  /// The vector lanes of the calling thread wait for each other.
  TEAMSAN_ENTRY void impl_warp_barrier() const {
    teamsan::meet(teamsan::Meeting::warp_barrier, nullptr, nullptr, nullptr, __builtin_return_address(0));
  }
  template <class Asks = SimtAsksVectorLane<>>
  TEAMSAN_NO_INSTRUMENT int impl_vector_lane() const {
    return Asks::said ? static_cast<int>(m_lane->vector_lane) : 0;
  }
  template <class Asks = SimtAsksVectorLane<>>
  TEAMSAN_NO_INSTRUMENT int impl_vector_length() const {
    return Asks::said ? static_cast<int>(m_lane->vector_length) : 1;
  }
  /// A sentence for the report about the place of the call; see teamsan::remark.
  TEAMSAN_ENTRY void impl_remark(char const* sentence) const {
    teamsan::remark(sentence, __builtin_return_address(0));
  }

  /// Every lane gets the value of lane 0 of the thread `source`.
  template <class Value>
  TEAMSAN_ENTRY void team_broadcast(Value& value, int const& source) const {
    impl_broadcast(value, source, teamsan::Meeting::team_broadcast, __builtin_return_address(0));
  }
  /// As on CUDA, `closure` runs on every lane, the source's value goes round.
  template <class Closure, class Value>
  TEAMSAN_ENTRY void team_broadcast(Closure const& closure, Value& value, int const& source) const {
    teamsan::simt::run_user_code(closure, value);
    impl_broadcast(value, source, teamsan::Meeting::team_broadcast, __builtin_return_address(0));
  }

  /// Joins lane 0 of every thread; every lane's value and the reducer's result get it.
  template <class ReducerType>
  TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<ReducerType>> team_reduce(ReducerType const& reducer) const {
    join_and_store(reducer, reducer.reference(), teamsan::Meeting::team_reduce, __builtin_return_address(0));
  }
  template <class ReducerType>
  TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<ReducerType>> team_reduce(
      ReducerType const& reducer, typename ReducerType::value_type& value) const {
    join_and_store(reducer, value, teamsan::Meeting::team_reduce, __builtin_return_address(0));
  }

  /// Exclusive prefix sum over the team's threads in rank order.
  template <class Value>
  TEAMSAN_ENTRY Value team_scan(Value const& value) const {
    void const* const site = __builtin_return_address(0);
    return impl_scan(teamsan::simt::read_user_value(value, site), teamsan::Meeting::team_scan, site).value;
  }
  /// As above, plus what `*global_accum` held before this team's total was added to it (once a team).
  template <class Value>
  TEAMSAN_ENTRY Value team_scan(Value const& value, Value* const global_accum) const {
    void const* const site = __builtin_return_address(0);
    auto scanned = impl_scan(teamsan::simt::read_user_value(value, site), teamsan::Meeting::team_scan, site);
    if (global_accum) {
      Value base = 0;
      if (team_rank() == team_size() - 1 && m_lane->vector_lane == 0) {
        teamsan::NoSwitch const whole;
        teamsan::CallFrom const here(site);
        base = Kokkos::atomic_fetch_add(global_accum, scanned.total);
      }
      impl_spread(base, team_size() - 1, teamsan::Meeting::team_scan, site);
      scanned.value += base;
    }
    return scanned.value;
  }

  /// Joins the lanes of the calling thread; every lane gets the result.
  template <class ReducerType>
  TEAMSAN_ENTRY static std::enable_if_t<is_reducer_v<ReducerType>> vector_reduce(ReducerType const& reducer) {
    static_cast<void>(&SimtAsksVectorLane<ReducerType>::said);
    join_and_store(reducer, reducer.reference(), teamsan::Meeting::vector_reduce,
                   __builtin_return_address(0));
  }
  template <class ReducerType>
  TEAMSAN_ENTRY static std::enable_if_t<is_reducer_v<ReducerType>> vector_reduce(
      ReducerType const& reducer, typename ReducerType::value_type& value) {
    static_cast<void>(&SimtAsksVectorLane<ReducerType>::said);
    join_and_store(reducer, value, teamsan::Meeting::vector_reduce, __builtin_return_address(0));
  }

  // Names of Kokkos' GPU backends that libraries call: both leave what was joined in `value`, the caller's own variable.

  template <class WrappedReducer>
  TEAMSAN_ENTRY std::enable_if_t<is_reducer_v<WrappedReducer>> impl_team_reduce(
      WrappedReducer const& reducer, typename WrappedReducer::value_type& value) const {
    join_with(reducer, value, teamsan::Meeting::team_reduce, __builtin_return_address(0));
  }
  template <class WrappedReducer>
  TEAMSAN_ENTRY static std::enable_if_t<is_reducer_v<WrappedReducer>> impl_vector_reduce(
      WrappedReducer const& reducer, typename WrappedReducer::value_type& value) {
    static_cast<void>(&SimtAsksVectorLane<WrappedReducer>::said);
    join_with(reducer, value, teamsan::Meeting::vector_reduce, __builtin_return_address(0));
  }

  // What the nested patterns build on: `value` is the lane's own variable, `site` the place in the user's
  // code.

  template <class WrappedReducer>
  TEAMSAN_NO_INSTRUMENT static void impl_reduce(WrappedReducer const& reducer,
                                                typename WrappedReducer::value_type* value,
                                                teamsan::Meeting meeting, void const* site) {
    using Combine = teamsan::simt::CombineReduce<WrappedReducer>;
    typename Combine::Context const context{&reducer, impl_shape()};
    teamsan::Combine const combine = meeting == teamsan::Meeting::vector_reduce        ? &Combine::vector
                                     : meeting == teamsan::Meeting::team_vector_reduce ? &Combine::team_vector
                                                                                       : &Combine::team;
    teamsan::meet(meeting, value, combine, &context, site, teamsan::simt::join_of<WrappedReducer>());
  }

  template <class Value>
  TEAMSAN_NO_INSTRUMENT teamsan::simt::TeamScanSlot<Value> impl_scan(Value const& value,
                                                                     teamsan::Meeting meeting,
                                                                     void const* site) const {
    teamsan::tell_threads_apart();
    teamsan::simt::TeamScanSlot<Value> slot{value, value};
    auto const shape = impl_shape();
    teamsan::meet(meeting, &slot, &teamsan::simt::CombineTeamScan<Value>::exclusive, &shape, site);
    return slot;
  }

  /// Lane 0 of the thread `source` gives its variable to all.
  template <class Value>
  TEAMSAN_NO_INSTRUMENT void impl_spread(Value& value, int source, teamsan::Meeting meeting,
                                         void const* site) const {
    using Combine = teamsan::simt::CombineBroadcast<Value>;
    typename Combine::Context const context{static_cast<std::uint32_t>(source) * m_lane->vector_length};
    teamsan::meet(meeting, &value, &Combine::from_source, &context, site);
  }

  /// As impl_spread, for a variable of the user's.
  template <class Value>
  TEAMSAN_NO_INSTRUMENT void impl_broadcast(Value& value, int source, teamsan::Meeting meeting,
                                            void const* site) const {
    bool const gives = m_lane->thread == static_cast<std::uint32_t>(source) && m_lane->vector_lane == 0;
    if (gives) teamsan::note_read(&value, sizeof(Value), site);
    Value own(value);
    impl_spread(own, source, meeting, site);
    teamsan::simt::write_user_value(value, own, site);
  }

  TEAMSAN_NO_INSTRUMENT static teamsan::simt::TeamShape impl_shape() {
    teamsan::Lane const& lane = teamsan::this_lane();
    return {lane.vector_length, std::max(teamsan::simt::warp_width() / lane.folded, 1u)};
  }

 private:
  template <class ReducerType, class Value>
  TEAMSAN_NO_INSTRUMENT static void join_and_store(ReducerType const& reducer, Value& value,
                                                   teamsan::Meeting meeting, void const* site) {
    SimtNestedReducer<ReducerType, Value> const wrapped(reducer);
    Value const own = join_with(wrapped, value, meeting, site);
    if (&reducer.reference() != &value) teamsan::simt::write_user_value(reducer.reference(), own, site);
  }
  template <class WrappedReducer, class Value>
  TEAMSAN_NO_INSTRUMENT static Value join_with(WrappedReducer const& wrapped, Value& value, teamsan::Meeting meeting,
                                               void const* site) {
    Value own = teamsan::simt::read_user_value(value, site);
    impl_reduce(wrapped, &own, meeting, site);
    teamsan::simt::write_user_value(value, own, site);
    return own;
  }

  teamsan::Lane const* m_lane;
  scratch_memory_space m_scratch;
};

}  // namespace Kokkos::Impl
