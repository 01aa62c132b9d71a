// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_for over a WorkGraphPolicy: warps of lanes that take ready work from Kokkos' queue until all is
/// done. A lane lets the others run after each piece of work, so that the pieces spread over lanes. Work that
/// was taken after other work had ended counts as ordered after it, edge or not: a missing edge of the graph
/// shows as a race only where the two pieces ran at the same time.
#pragma once

#include "../launch/Launch.hpp"

#include <Kokkos_Parallel.hpp>
#include <Kokkos_WorkGraphPolicy.hpp>

#include "../../../sim/machine/Lane.hpp"

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class FunctorType, class... Traits>
class ParallelFor<FunctorType, Kokkos::WorkGraphPolicy<Traits...>, teamsan::Simt> {
 public:
  using Policy = Kokkos::WorkGraphPolicy<Traits...>;
  using functor_type = FunctorType;

  ParallelFor(FunctorType const& functor, Policy const& policy) : m_functor(functor), m_policy(policy) {}

  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<FunctorType>(teamsan::Pattern::parallel_for,
                                                       teamsan::Policy::work_graph, m_policy.space());
    // Kokkos keeps the size of the graph to itself: a few warps, not a whole GPU of lanes that find no work.
    config.team_size = 32;
    config.league_size = 4;
    teamsan::launch(config, this, sizeof(*this), &lane);
  }

  Policy const& get_policy() const { return m_policy; }

 private:
  using WorkTag = typename Policy::work_tag;

  TEAMSAN_NO_INSTRUMENT static void lane(void const* kernel, teamsan::Lane const&) {
    auto const& self = *static_cast<ParallelFor const*>(kernel);
    for (std::int32_t work = self.m_policy.pop_work(); work != Policy::COMPLETED_TOKEN;
         work = self.m_policy.pop_work()) {
      if (work != Policy::END_TOKEN) {
        teamsan::acquire(kernel);
        if constexpr (std::is_void_v<WorkTag>) {
          teamsan::simt::run_user_code(self.m_functor, std::as_const(work));
        } else {
          teamsan::simt::run_user_code(self.m_functor, WorkTag{}, std::as_const(work));
        }
        teamsan::release(kernel);
        self.m_policy.completed_work(work);
      }
      teamsan::yield_lane();
    }
  }

  FunctorType const m_functor;
  Policy const m_policy;
};

}  // namespace Kokkos::Impl
