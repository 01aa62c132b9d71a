// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_reduce over a RangePolicy, in CUDA's geometry: blocks of up to 256 lanes, no more of them than
/// the device keeps resident; a block has a contiguous part of the range, its lanes take turns in it. Each
/// lane accumulates into a value of its own; ReduceBuffer joins them in a fixed order. An empty range is one
/// lane that does nothing but init() and final(), as on CUDA.
#pragma once

#include "../launch/LaneSums.hpp"

#include "../../../sim/host/Reductions.hpp"

#include <Kokkos_Parallel.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Kokkos::Impl {

template <class CombinedFunctorReducerType, class... Traits>
class ParallelReduce<CombinedFunctorReducerType, Kokkos::RangePolicy<Traits...>, teamsan::Simt> {
 public:
  using Policy = Kokkos::RangePolicy<Traits...>;
  using functor_type = typename CombinedFunctorReducerType::functor_type;
  using reducer_type = typename CombinedFunctorReducerType::reducer_type;
  using pointer_type = typename reducer_type::pointer_type;
  using value_type = typename reducer_type::value_type;
  using reference_type = typename reducer_type::reference_type;

  template <class ViewType>
  ParallelReduce(CombinedFunctorReducerType const& functor_reducer, Policy const& policy,
                 ViewType const& result)
      : m_functor_reducer(functor_reducer), m_policy(policy), m_result(result.data()) {}

  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<functor_type>(teamsan::Pattern::parallel_reduce,
                                                        teamsan::Policy::range, m_policy.space());
    std::uint64_t const work = static_cast<std::uint64_t>(m_policy.end() - m_policy.begin());
    m_value_bytes = reducer().value_size();
    std::uint32_t const bounds = teamsan::simt::range_block_lanes(Policy::launch_bounds::maxTperB);
    config.team_size = work == 0 ? 1 : teamsan::simt::reduce_block_lanes(config, m_value_bytes, bounds);
    config.league_size = teamsan::simt::reduce_blocks(work, config.team_size);
    m_begin = m_policy.begin();
    m_work = work;
    config.indices = {1, {static_cast<std::int64_t>(m_begin)}, {work}};
    std::uint64_t const chunk = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(m_policy.chunk_size()));
    std::uint64_t const share = (work + config.league_size - 1) / config.league_size;
    m_block_work = (share + chunk - 1) / chunk * chunk;

    teamsan::simt::ReduceBuffer buffer(teamsan::simt::ErasedReducer<ParallelReduce, reducer_type>::calls,
                                       teamsan::simt::BlockValues::joined, m_value_bytes, config);
    m_buffer = &buffer;
    m_lanes = config.team_size;
    teamsan::launch(config, this, sizeof(*this), &lane, nullptr, nullptr, plain());
    teamsan::simt::deliver(buffer, m_result, m_value_bytes);
  }

  Policy const& get_policy() const { return m_policy; }
  TEAMSAN_NO_INSTRUMENT reducer_type const& reducer() const { return m_functor_reducer.get_reducer(); }

 private:
  using Member = typename Policy::member_type;
  using WorkTag = typename Policy::work_tag;

  friend struct teamsan::simt::EndOfSum<ParallelReduce, reducer_type>;
  TEAMSAN_NO_INSTRUMENT teamsan::simt::ReduceBuffer& buffer() const { return *m_buffer; }

  TEAMSAN_NO_INSTRUMENT teamsan::simt::LaneShare share_of(teamsan::Lane const& lane) const {
    std::uint64_t const first = lane.league_rank * m_block_work;
    return {first + lane.thread, first + m_block_work < m_work ? first + m_block_work : m_work};
  }

  TEAMSAN_NO_INSTRUMENT static void lane(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    functor_type const& functor = self.m_functor_reducer.get_functor();
    teamsan::simt::LaneShare const share = self.share_of(lane);
    void* const watched = self.m_buffer->watched_value(lane);
    if constexpr (teamsan::simt::joins_small_values<reducer_type>) {
      using End = teamsan::simt::EndOfSum<ParallelReduce, reducer_type>;
      // What lanes access is told there, too: where values are looked at, of no lane.
      if (watched == nullptr || (lane.index == 0 && teamsan::simt::tells_accesses<functor_type>))
        teamsan::simt::run_user_code_of_sums<WorkTag, End, value_type>(
            functor, self.m_begin, watched == nullptr ? share : teamsan::simt::LaneShare{}, kernel, &lane, lane.team_size,
            watched == nullptr ? &self.m_buffer->row(lane.league_rank) : nullptr);
      if (watched == nullptr) return;
    }
    TEAMSAN_LANE_VALUE(value_type, own, reducer_type::static_value_size(), self.m_value_bytes);
    pointer_type const value = watched != nullptr ? static_cast<pointer_type>(watched) : own;
    reference_type update = teamsan::simt::init_value(self.reducer(), value);
    for (std::uint64_t offset = share.offset; offset < share.last; offset += lane.team_size) {
      auto const index = static_cast<Member>(self.m_begin + static_cast<Member>(offset));
      if (watched != nullptr) teamsan::next_iteration();
      if constexpr (std::is_void_v<WorkTag>) {
        teamsan::simt::run_user_code(functor, index, update);
      } else {
        teamsan::simt::run_user_code(functor, WorkTag{}, index, update);
      }
    }
    self.m_buffer->hand_over(kernel, lane, value);
  }

  static constexpr teamsan::PlainBodies plain() {
    if constexpr (teamsan::simt::has_plain_bodies && teamsan::simt::joins_small_values<reducer_type>)
      return {teamsan::simt::plain_lane<&lane>(), &blocks};
    else
      return {teamsan::simt::plain_lane<&lane>()};
  }

  TEAMSAN_NO_INSTRUMENT static bool blocks(void const* kernel, std::uint64_t begin, std::uint64_t end) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    auto* const values = static_cast<value_type*>(self.m_buffer->block_value(0));
    if (self.m_lanes > teamsan::simt::most_plain_lanes<value_type> || !add_up(self, begin, end, values)) return false;
    if (begin < end) self.m_buffer->end_blocks(kernel, end - begin);
    return true;
  }
  TEAMSAN_PLAIN_BLOCKS static bool add_up(ParallelReduce const& self, std::uint64_t begin, std::uint64_t end,
                                          value_type* values) {
    if (begin > end) return __teamsan_may_hand_over();
    if (!__teamsan_runs_together()) return false;
    teamsan::simt::PlainFunctor<functor_type> const functor(self.m_functor_reducer.get_functor());
    value_type sums[teamsan::simt::most_plain_lanes<value_type>];
    for (std::uint64_t block = begin; block < end; ++block) {
      std::uint64_t const first = block * self.m_block_work, behind = first + self.m_block_work;
      values[block] = teamsan::simt::plain_block_sum<WorkTag>(functor.body(), self.reducer(), self.m_begin, first,
                                                              behind < self.m_work ? behind : self.m_work, self.m_lanes, sums);
    }
    return true;
  }

  CombinedFunctorReducerType const m_functor_reducer;
  Policy const m_policy;
  pointer_type const m_result;
  // Set by execute(), for the lanes.
  mutable Member m_begin{};
  mutable std::uint64_t m_work = 0;
  mutable std::uint64_t m_block_work = 0;
  mutable std::uint32_t m_lanes = 0;
  mutable std::size_t m_value_bytes = 0;
  mutable teamsan::simt::ReduceBuffer* m_buffer = nullptr;
};

}  // namespace Kokkos::Impl
