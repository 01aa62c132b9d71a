// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_for over a RangePolicy: blocks of up to 256 lanes, one iteration a lane (StaticBatchSize: that
/// many, a grid apart, as on CUDA). Lanes of such a block never meet.
#pragma once

#include "../launch/Launch.hpp"
#include "../versions/StaticBatchSize.hpp"

#include <Kokkos_Parallel.hpp>

#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class FunctorType, class... Traits>
class ParallelFor<FunctorType, Kokkos::RangePolicy<Traits...>, teamsan::Simt> {
 public:
  using Policy = Kokkos::RangePolicy<Traits...>;
  using functor_type = FunctorType;

  ParallelFor(FunctorType const& functor, Policy const& policy) : m_functor(functor), m_policy(policy) {}

  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<FunctorType>(teamsan::Pattern::parallel_for, teamsan::Policy::range,
                                                       m_policy.space());
    std::uint64_t const work = static_cast<std::uint64_t>(m_policy.end() - m_policy.begin());
    if (work == 0) return;
    config.team_size = teamsan::simt::range_block_lanes(Policy::launch_bounds::maxTperB);
    std::uint64_t const block_work = std::uint64_t{config.team_size} * batch;
    config.league_size = (work + block_work - 1) / block_work;
    config.busy_lanes = work;
    if constexpr (batch == 1) config.indices = {1, {static_cast<std::int64_t>(m_policy.begin())}, {work}};
    m_begin = m_policy.begin();
    m_work = work;
    m_grid = config.league_size * config.team_size;
    m_block = config.team_size;
    teamsan::launch(config, this, sizeof(*this), &lane, nullptr, nullptr, plain());
  }

  Policy const& get_policy() const { return m_policy; }

 private:
  using Member = typename Policy::member_type;
  using WorkTag = typename Policy::work_tag;
  static constexpr std::uint64_t batch = teamsan::simt::static_batch_size<Policy>;

  TEAMSAN_NO_INSTRUMENT static void lane(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelFor const*>(kernel);
    std::uint64_t offset = lane.league_rank * lane.team_size + lane.thread;
    if constexpr (batch == 1) {
      if (offset >= self.m_work) return;
      auto const index = static_cast<Member>(self.m_begin + static_cast<Member>(offset));
      return teamsan::simt::run_user_code_of_lanes<WorkTag>(self.m_functor, index);
    }
    for (std::uint64_t i = 0; i < batch && offset < self.m_work; ++i, offset += self.m_grid) {
      auto const index = static_cast<Member>(self.m_begin + static_cast<Member>(offset));
      if constexpr (std::is_void_v<WorkTag>) {
        teamsan::simt::run_user_code(self.m_functor, index);
      } else {
        teamsan::simt::run_user_code(self.m_functor, WorkTag{}, index);
      }
    }
  }

  static constexpr teamsan::PlainBodies plain() {
    if constexpr (teamsan::simt::has_plain_bodies && batch == 1)
      return {teamsan::simt::plain_lane<&lane>(), &blocks};
    else
      return {teamsan::simt::plain_lane<&lane>()};
  }

  TEAMSAN_PLAIN_BLOCKS static bool blocks(void const* kernel, std::uint64_t begin, std::uint64_t end) {
    if (begin > end) return __teamsan_may_hand_over();
    if (!__teamsan_runs_together()) return false;
    auto const& self = *static_cast<ParallelFor const*>(kernel);
    teamsan::simt::PlainFunctor<FunctorType> const functor(self.m_functor);
    std::uint64_t const first = begin * self.m_block, behind = end * self.m_block;
    auto const last = static_cast<Member>(self.m_begin + static_cast<Member>(behind < self.m_work ? behind : self.m_work));
    for (auto i = static_cast<Member>(self.m_begin + static_cast<Member>(first)); i < last; ++i) {
      Member own = i;  // as in HandedOver
      teamsan::simt::call_plain<WorkTag>(functor.body(), own);
    }
    return true;
  }

  FunctorType const m_functor;
  Policy const m_policy;
  // Set by execute(), for the lanes: policies' own getters would be instrumented.
  mutable Member m_begin{};
  mutable std::uint64_t m_work = 0;
  mutable std::uint64_t m_grid = 0;
  mutable std::uint64_t m_block = 0;
};

}  // namespace Kokkos::Impl
