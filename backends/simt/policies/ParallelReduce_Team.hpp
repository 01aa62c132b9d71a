// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_reduce over a TeamPolicy. Every lane reduces into a value on its own stack; at its end the lanes
/// of a thread meet, and lane 0's value, the thread's, goes to the ReduceBuffer, which joins the threads of
/// each team and then the teams, by rank. A value may be an array whose length only the functor knows.
#pragma once

#include "../Macros.hpp"
#include "../launch/LaneValue.hpp"
#include "../launch/Launch.hpp"
#include "../launch/ReduceBuffer.hpp"
#include "ParallelFor_Team.hpp"
#include "../team/JoinOf.hpp"
#include "../team/TeamLimits.hpp"
#include "../team/TeamMember.hpp"
#include "../team/TeamPolicy.hpp"

#include "../../../sim/host/Launch.hpp"

#include <Kokkos_Parallel_Reduce.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class CombinedFunctorReducerType, class... Properties>
class ParallelReduce<CombinedFunctorReducerType, Kokkos::TeamPolicy<Properties...>, teamsan::Simt> {
 public:
  using Policy = TeamPolicy<Properties...>;
  using FunctorType = typename CombinedFunctorReducerType::functor_type;
  using ReducerType = typename CombinedFunctorReducerType::reducer_type;
  using functor_type = FunctorType;
  using reducer_type = ReducerType;
  using value_type = typename ReducerType::value_type;
  using pointer_type = typename ReducerType::pointer_type;

  template <class ViewType>
  ParallelReduce(CombinedFunctorReducerType const& functor_reducer, Policy const& policy,
                 ViewType const& result)
      : m_functor_reducer(functor_reducer),
        m_policy(policy),
        m_result(result.data()),
        m_shape(SimtTeamShape::of(functor_reducer.get_functor(), policy, recommended(functor_reducer, policy),
                                  "ParallelReduce")) {}

  Policy const& get_policy() const { return m_policy; }
  TEAMSAN_NO_INSTRUMENT ReducerType const& reducer() const { return m_functor_reducer.get_reducer(); }

  /// Throws in Kokkos' words when the modelled device has no room for such a team or such a value.
  void execute() {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<FunctorType>(teamsan::Pattern::parallel_reduce,
                                                       teamsan::Policy::team, m_policy.space());
    m_shape.describe(m_policy, config);
    check(config);
    bool const empty = config.league_size == 0;
    if (empty) {
      config.league_size = 1;
      config.team_size = config.vector_length = 1;
    }
    auto one_value_a_thread = config;
    one_value_a_thread.vector_length = 1;
    m_value_bytes = reducer().value_size();
    teamsan::simt::ReduceBuffer buffer(teamsan::simt::ErasedReducer<ParallelReduce, ReducerType>::calls,
                                       teamsan::simt::BlockValues::joined, m_value_bytes, one_value_a_thread);
    m_buffer = &buffer;
    teamsan::launch(config, this, sizeof(*this), empty ? &run_empty : &run_lane, nullptr, nullptr,
                    {empty ? nullptr : teamsan::simt::plain_lane<&run_lane>()});
    teamsan::simt::deliver(buffer, m_result, m_value_bytes);
  }

 private:
  using Member = typename Policy::member_type;
  using WorkTag = typename Policy::work_tag;

  static constexpr bool is_array = ReducerType::static_value_size() == 0;

  static int recommended(CombinedFunctorReducerType const& functor_reducer, Policy const& policy) {
    if (policy.team_size() > 0) return 0;
    return policy.team_size_recommended_internal(functor_reducer.get_functor(), functor_reducer.get_reducer(),
                                                 ParallelReduceTag());
  }

  void check(teamsan::LaunchConfig const& config) const {
    constexpr char const* pattern = "parallel_reduce";
    std::size_t reserved = teamsan::simt::reduce_area(m_shape.team_size);
    if constexpr (is_array) {
      std::size_t const bytes = reducer().value_size();
      teamsan::simt::check_array_reduction(config, bytes);
      reserved += bytes * (static_cast<std::size_t>(m_shape.team_size) + 2);
    }
    teamsan::simt::check_scratch_level0(config, pattern, m_shape.reserved.bytes[0], reserved);
    teamsan::simt::check_scratch_level1(config, pattern, m_shape.reserved.bytes[1]);
    teamsan::simt::check_team_size(
        config, pattern,
        m_policy.team_size_max_internal(m_functor_reducer.get_functor(), m_functor_reducer.get_reducer(),
                                        ParallelReduceTag()));
  }

  /// Runs the functor on the lane's value, `own` or where it is looked at, then brings it to the meeting of the thread's lanes.
  TEAMSAN_NO_INSTRUMENT void run(teamsan::Lane const& lane, value_type* own) const {
    reducer().init(own);
    void* const watched = m_buffer->watched_team_value(lane, own);
    value_type* const value = watched != nullptr ? static_cast<value_type*>(watched) : own;
    typename ReducerType::reference_type update = ReducerType::reference(value);
    Member const member(lane, m_shape.reserved);
    if constexpr (std::is_void_v<WorkTag>)
      teamsan::simt::run_user_code(m_functor_reducer.get_functor(), member, update);
    else
      teamsan::simt::run_user_code(m_functor_reducer.get_functor(), WorkTag(), member, update);
    teamsan::meet(teamsan::Meeting::kernel_end, value, &end_thread, this, nullptr,
                  teamsan::simt::join_of<ReducerType>());
  }

  TEAMSAN_NO_INSTRUMENT static void end_thread(void* const* values, std::uint32_t, void const* kernel) {
    auto const& lane = teamsan::this_lane();
    static_cast<ParallelReduce const*>(kernel)->m_buffer->hand_over_met(kernel, lane.league_rank, lane.thread,
                                                                        values[0]);
  }

  TEAMSAN_NO_INSTRUMENT static void run_lane(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    TEAMSAN_LANE_VALUE(value_type, value, ReducerType::static_value_size(), self.m_value_bytes);
    self.run(lane, value);
  }

  /// No team at all: what the reducer makes of nothing.
  TEAMSAN_NO_INSTRUMENT static void run_empty(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    TEAMSAN_LANE_VALUE(value_type, value, ReducerType::static_value_size(), self.m_value_bytes);
    self.reducer().init(value);
    self.m_buffer->hand_over(kernel, lane, value);
  }

  CombinedFunctorReducerType const m_functor_reducer;
  Policy const m_policy;
  pointer_type const m_result;
  SimtTeamShape const m_shape;
  // Set by execute(), for the lanes.
  std::size_t m_value_bytes = 0;
  teamsan::simt::ReduceBuffer* m_buffer = nullptr;
};

}  // namespace Kokkos::Impl
