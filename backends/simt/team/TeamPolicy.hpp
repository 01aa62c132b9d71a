// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos::TeamPolicy on the simulated GPU: what was asked for, and what the modelled device allows of it.
/// Limits are decided in team/TeamLimits.hpp; here they meet Kokkos' functors, tags and reducers. A
/// kernel's register use is not known, so team_size_max is what a CUDA kernel with few registers gets.
#pragma once

#include "../spaces/ExecutionSpace.hpp"
#include "TeamLimits.hpp"
#include "TeamMember.hpp"

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace Kokkos::Impl {

struct PolicyUpdate;  // since 4.7

template <class... Properties>
class TeamPolicyInternal<teamsan::Simt, Properties...> : public PolicyTraits<Properties...> {
 public:
  using execution_policy = TeamPolicyInternal;
  using traits = PolicyTraits<Properties...>;
  using execution_space = teamsan::Simt;
  using member_type = SimtTeamMember;

  template <class ExecSpace, class... OtherProperties>
  friend class TeamPolicyInternal;

  template <class... OtherProperties>
  TeamPolicyInternal(TeamPolicyInternal<OtherProperties...> const& other)
      : m_space(other.m_space),
        m_league_size(other.m_league_size),
        m_team_size(other.m_team_size),
        m_vector_length(other.m_vector_length),
        m_chunk_size(other.m_chunk_size),
        m_team_scratch{other.m_team_scratch[0], other.m_team_scratch[1]},
        m_thread_scratch{other.m_thread_scratch[0], other.m_thread_scratch[1]},
        m_launch_sized(other.m_launch_sized),
        m_auto_team_size(other.m_auto_team_size),
        m_auto_vector_length(other.m_auto_vector_length) {}

  TeamPolicyInternal() = default;

  /// Throws when the modelled device has no such league, or no team of so many lanes.
  TeamPolicyInternal(execution_space space, int league_size, int team_size, int vector_length = 1)
      : m_space(std::move(space)),
        m_league_size(league_size),
        m_team_size(team_size),
        m_vector_length(impl_determine_vector_length(vector_length)),
        m_auto_team_size(team_size <= 0),
        m_auto_vector_length(vector_length <= 0) {
    teamsan::LaunchConfig asked;
    asked.policy = teamsan::Policy::team;
    asked.league_size = static_cast<std::uint64_t>(std::max(league_size, 0));
    asked.team_size = static_cast<std::uint32_t>(std::max(team_size, 0));
    asked.vector_length = static_cast<std::uint32_t>(m_vector_length);
    teamsan::simt::check_league_size(asked);
    teamsan::simt::check_policy_team_size(asked);
  }
  TeamPolicyInternal(execution_space space, int league_size, AUTO_t const&, int vector_length = 1)
      : TeamPolicyInternal(std::move(space), league_size, -1, vector_length) {}
  TeamPolicyInternal(execution_space space, int league_size, AUTO_t const&, AUTO_t const&)
      : TeamPolicyInternal(std::move(space), league_size, -1, -1) {}
  TeamPolicyInternal(execution_space space, int league_size, int team_size, AUTO_t const&)
      : TeamPolicyInternal(std::move(space), league_size, team_size, -1) {}
  TeamPolicyInternal(int league_size, int team_size, int vector_length = 1)
      : TeamPolicyInternal(execution_space(), league_size, team_size, vector_length) {}
  TeamPolicyInternal(int league_size, AUTO_t const&, int vector_length = 1)
      : TeamPolicyInternal(execution_space(), league_size, -1, vector_length) {}
  TeamPolicyInternal(int league_size, AUTO_t const&, AUTO_t const&)
      : TeamPolicyInternal(execution_space(), league_size, -1, -1) {}
  TeamPolicyInternal(int league_size, int team_size, AUTO_t const&)
      : TeamPolicyInternal(execution_space(), league_size, team_size, -1) {}

  TeamPolicyInternal(PolicyUpdate const&, TeamPolicyInternal const& other, execution_space space)
      : TeamPolicyInternal(other) {
    m_space = std::move(space);
  }

  execution_space const& space() const { return m_space; }
  int league_size() const { return m_league_size; }
  int team_size() const { return m_team_size; }
  int impl_vector_length() const { return m_vector_length; }
  bool impl_auto_team_size() const { return m_auto_team_size; }
  bool impl_auto_vector_length() const { return m_auto_vector_length; }
  void impl_set_team_size(std::size_t team_size) { m_team_size = static_cast<int>(team_size); }
  void impl_set_vector_length(std::size_t vector_length) {
    m_vector_length = static_cast<int>(vector_length);
  }

  static int vector_length_max() { return teamsan::simt::vector_length_max(); }
  static int impl_determine_vector_length(int requested) { return teamsan::simt::vector_length(requested); }

  static int scratch_size_max(int level) { return teamsan::simt::scratch_size_max(level); }
  std::size_t scratch_size(int level, int team_size = -1) const {
    auto const threads = static_cast<std::size_t>(team_size < 0 ? m_team_size : team_size);
    return m_team_scratch[level] + threads * m_thread_scratch[level];
  }
  std::size_t team_scratch_size(int level) const { return m_team_scratch[level]; }
  std::size_t thread_scratch_size(int level) const { return m_thread_scratch[level]; }

  TeamPolicyInternal& set_scratch_size(int const& level, PerTeamValue const& per_team) {
    m_team_scratch[level] = per_team.value;
    if (level == 0) m_launch_sized = ScratchMemorySpace<teamsan::Simt>::Simulated::all;
    return *this;
  }
  TeamPolicyInternal& set_scratch_size(int const& level, PerThreadValue const& per_thread) {
    m_thread_scratch[level] = per_thread.value;
    return *this;
  }
  TeamPolicyInternal& set_scratch_size(int const& level, PerTeamValue const& per_team,
                                       PerThreadValue const& per_thread) {
    m_team_scratch[level] = per_team.value;
    if (level == 0) m_launch_sized = ScratchMemorySpace<teamsan::Simt>::Simulated::all;
    m_thread_scratch[level] = per_thread.value;
    return *this;
  }

  /// For model/workgroup/launch_sized_scratch.hpp: the bytes that a kernel may use of it, the padding left out.
  void impl_set_launch_sized(std::size_t bytes) { m_launch_sized = bytes; }
  std::size_t impl_launch_sized() const { return m_launch_sized; }

  int chunk_size() const { return m_chunk_size; }
  TeamPolicyInternal& set_chunk_size(typename traits::index_type chunk_size) {
    m_chunk_size = static_cast<int>(chunk_size);
    return *this;
  }

  template <class Functor>
  int team_size_max(Functor const& functor, ParallelForTag const&) const {
    return teamsan::simt::block_size_max(block_scratch(functor, 0), bounds()) / m_vector_length;
  }
  template <class Functor>
  int team_size_max(Functor const& functor, ParallelReduceTag const& tag) const {
    return team_size_max_internal(functor, reducer_of<Functor>(functor), tag);
  }
  template <class Functor, class Reducer>
  int team_size_max(Functor const& functor, Reducer const& reducer, ParallelReduceTag const& tag) const {
    return team_size_max_internal(functor, reducer_of<Reducer>(reducer), tag);
  }
  template <class Functor, class AnalysedReducer>
  int team_size_max_internal(Functor const& functor, AnalysedReducer const& reducer,
                             ParallelReduceTag const&) const {
    return reduce_team_size(
        teamsan::simt::block_size_max(block_scratch(functor, array_bytes(reducer)), bounds()));
  }

  template <class Functor>
  int team_size_recommended(Functor const& functor, ParallelForTag const&) const {
    return teamsan::simt::block_size_recommended(block_scratch(functor, 0), bounds()) / m_vector_length;
  }
  template <class Functor>
  int team_size_recommended(Functor const& functor, ParallelReduceTag const& tag) const {
    return team_size_recommended_internal(functor, reducer_of<Functor>(functor), tag);
  }
  template <class Functor, class Reducer>
  int team_size_recommended(Functor const& functor, Reducer const& reducer,
                            ParallelReduceTag const& tag) const {
    return team_size_recommended_internal(functor, reducer_of<Reducer>(reducer), tag);
  }
  template <class Functor, class AnalysedReducer>
  int team_size_recommended_internal(Functor const& functor, AnalysedReducer const& reducer,
                                     ParallelReduceTag const&) const {
    return reduce_team_size(
        teamsan::simt::block_size_recommended(block_scratch(functor, array_bytes(reducer)), bounds()));
  }

 private:
  template <class Analysed>
  static auto reducer_of(Analysed const& analysed) {
    return typename FunctorAnalysis<FunctorPatternInterface::REDUCE, TeamPolicyInternal, Analysed,
                                    void>::Reducer{analysed};
  }

  static teamsan::simt::LaunchBounds bounds() {
    return {traits::launch_bounds::maxTperB, traits::launch_bounds::minBperSM};
  }

  // A value of static size is reduced in registers, an array in scratch: one a thread.
  template <class AnalysedReducer>
  static std::size_t array_bytes(AnalysedReducer const& reducer) {
    return AnalysedReducer::static_value_size() != 0 ? 0 : reducer.value_size();
  }

  template <class Functor>
  auto block_scratch(Functor const& functor, std::size_t bytes_per_thread) const {
    return [this, &functor, bytes_per_thread](int lanes) {
      int const threads = lanes / m_vector_length;
      return scratch_size(0, threads) + teamsan::simt::reduce_area(threads) +
             static_cast<std::size_t>(threads) * bytes_per_thread +
             FunctorTeamShmemSize<Functor>::value(functor, threads);
    };
  }

  // CUDA's block reductions want a power of two.
  int reduce_team_size(int lanes) const {
    return static_cast<int>(Kokkos::bit_floor(static_cast<unsigned>(lanes))) / m_vector_length;
  }

  execution_space m_space;
  int m_league_size = 0;
  int m_team_size = -1;
  int m_vector_length = 1;
  int m_chunk_size = 32;
  std::size_t m_team_scratch[2] = {0, 0};
  std::size_t m_thread_scratch[2] = {0, 0};
  std::size_t m_launch_sized = ScratchMemorySpace<teamsan::Simt>::Simulated::all;
  bool m_auto_team_size = false;
  bool m_auto_vector_length = false;
};

}  // namespace Kokkos::Impl
