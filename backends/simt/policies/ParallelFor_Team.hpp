// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_for over a TeamPolicy: the closure that a launch copies to the simulated constant memory, and
/// what a lane does with the copy. The team size AUTO stands for is settled when the closure is made; what
/// the modelled device refuses is refused when it is executed, where the kernel's label is known.
#pragma once

#include "../Macros.hpp"
#include "../launch/Launch.hpp"
#include "../team/TeamLimits.hpp"
#include "../team/TeamMember.hpp"
#include "../team/TeamPolicy.hpp"

#include "../../../sim/host/Launch.hpp"

#include <Kokkos_Parallel.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

/// What both team patterns share: the shape of the launch, settled from a policy and a functor's own scratch
/// wishes.
struct SimtTeamShape {
  int team_size = 0;
  std::size_t functor_scratch = 0;  ///< team_shmem_size(), part of level 0
  ScratchMemorySpace<teamsan::Simt>::Simulated reserved{};

  template <class Functor, class Policy>
  static SimtTeamShape of(Functor const& functor, Policy const& policy, int recommended,
                          char const* pattern) {
    SimtTeamShape shape;
    shape.team_size = policy.team_size() > 0 ? policy.team_size() : recommended;
    if (shape.team_size <= 0) {
      throw_runtime_exception(std::string("Kokkos::Impl::") + pattern +
                              "<Simt, TeamPolicy> could not find a valid execution configuration.");
    }
    shape.functor_scratch = FunctorTeamShmemSize<Functor>::value(functor, shape.team_size);
    shape.reserved.bytes[0] = policy.scratch_size(0, shape.team_size) + shape.functor_scratch;
    shape.reserved.bytes[1] = policy.scratch_size(1, shape.team_size);
    shape.reserved.launch_sized = policy.impl_launch_sized();
    return shape;
  }

  template <class Policy>
  void describe(Policy const& policy, teamsan::LaunchConfig& config) const {
    config.league_size = static_cast<std::uint64_t>(policy.league_size());
    config.team_size = static_cast<std::uint32_t>(team_size);
    config.vector_length = static_cast<std::uint32_t>(policy.impl_vector_length());
    for (int level : {0, 1}) {
      config.team_scratch[level] = policy.team_scratch_size(level);
      config.thread_scratch[level] = policy.thread_scratch_size(level);
    }
    config.team_scratch[0] += functor_scratch;
  }
};

template <class FunctorType, class... Properties>
class ParallelFor<FunctorType, Kokkos::TeamPolicy<Properties...>, teamsan::Simt> {
 public:
  using Policy = TeamPolicy<Properties...>;
  using functor_type = FunctorType;

  ParallelFor(FunctorType const& functor, Policy const& policy)
      : m_functor(functor),
        m_policy(policy),
        m_shape(SimtTeamShape::of(functor, policy, recommended(functor, policy), "ParallelFor")) {}

  Policy const& get_policy() const { return m_policy; }

  /// Throws in Kokkos' words when the modelled device has no room for such a team.
  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<FunctorType>(teamsan::Pattern::parallel_for, teamsan::Policy::team,
                                                       m_policy.space());
    m_shape.describe(m_policy, config);
    constexpr char const* pattern = "parallel_for";
    teamsan::simt::check_scratch_level0(config, pattern, m_shape.reserved.bytes[0],
                                        teamsan::simt::reduce_area(m_shape.team_size));
    teamsan::simt::check_scratch_level1(config, pattern, m_shape.reserved.bytes[1]);
    teamsan::simt::check_team_size(config, pattern, m_policy.team_size_max(m_functor, ParallelForTag()));
    if (config.league_size > 0)
      teamsan::launch(config, this, sizeof(*this), &run_lane, nullptr, nullptr, {teamsan::simt::plain_lane<&run_lane>()});
  }

 private:
  using Member = typename Policy::member_type;
  using WorkTag = typename Policy::work_tag;

  static int recommended(FunctorType const& functor, Policy const& policy) {
    return policy.team_size() > 0 ? 0 : policy.team_size_recommended(functor, ParallelForTag());
  }

  TEAMSAN_NO_INSTRUMENT static void run_lane(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelFor const*>(kernel);
    Member const member(lane, self.m_shape.reserved);
    if constexpr (std::is_void_v<WorkTag>)
      teamsan::simt::run_user_code(self.m_functor, member);
    else
      teamsan::simt::run_user_code(self.m_functor, WorkTag(), member);
  }

  FunctorType const m_functor;
  Policy const m_policy;
  SimtTeamShape const m_shape;
};

}  // namespace Kokkos::Impl
