// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_reduce over an MDRangePolicy, in CUDA's geometry: one-dimensional blocks of a power of two of
/// lanes, at least as many as a tile has iterations, and no more blocks than a block has lanes; a block takes
/// every so-manieth tile, lane t the tile's t-th iteration. Values are joined by ReduceBuffer in a fixed
/// order.
#pragma once

#include "../launch/LaneValue.hpp"
#include "MDRangePolicy.hpp"

#include "../../../sim/host/Reductions.hpp"

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

template <class CombinedFunctorReducerType, class... Traits>
class ParallelReduce<CombinedFunctorReducerType, Kokkos::MDRangePolicy<Traits...>, teamsan::Simt> {
 public:
  using Policy = Kokkos::MDRangePolicy<Traits...>;
  using functor_type = typename CombinedFunctorReducerType::functor_type;
  using reducer_type = typename CombinedFunctorReducerType::reducer_type;
  using pointer_type = typename reducer_type::pointer_type;
  using value_type = typename reducer_type::value_type;
  using reference_type = typename reducer_type::reference_type;

  template <class ViewType>
  ParallelReduce(CombinedFunctorReducerType const& functor_reducer, Policy const& policy,
                 ViewType const& result)
      : m_functor_reducer(functor_reducer), m_policy(policy), m_result(result.data()) {}

  template <typename P, typename F>
  static int max_tile_size_product(P const&, F const&) {
    return teamsan::simt::max_tile_size();
  }

  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<functor_type>(teamsan::Pattern::parallel_reduce,
                                                        teamsan::Policy::md_range, m_policy.space());
    m_value_bytes = reducer().value_size();
    m_tiles = static_cast<std::uint64_t>(m_policy.m_num_tiles);
    m_tile_work = static_cast<std::uint32_t>(m_policy.m_prod_tile_dims);
    for (int axis = 0; axis < rank; ++axis) {
      int const i = left ? axis : rank - 1 - axis;
      m_lower[axis] = m_policy.m_lower[i];
      m_upper[axis] = m_policy.m_upper[i];
      m_tile[axis] = static_cast<std::uint32_t>(m_policy.m_tile[i]);
      m_tile_end[axis] = static_cast<std::uint64_t>(m_policy.m_tile_end[i]);
    }
    constexpr std::uint32_t usual = 256;
    config.team_size = m_tiles == 0 ? 1
                                    : std::max(Kokkos::bit_ceil(std::max(m_tile_work, 1u)),
                                               teamsan::simt::reduce_block_lanes(config, m_value_bytes, usual));
    config.league_size = std::clamp<std::uint64_t>(m_tiles, 1, config.team_size);

    teamsan::simt::ReduceBuffer buffer(teamsan::simt::ErasedReducer<ParallelReduce, reducer_type>::calls,
                                       teamsan::simt::BlockValues::joined, m_value_bytes, config);
    m_buffer = &buffer;
    teamsan::launch(config, this, sizeof(*this), &lane, nullptr, nullptr, {teamsan::simt::plain_lane<&lane>()});
    teamsan::simt::deliver(buffer, m_result, m_value_bytes);
  }

  Policy const& get_policy() const { return m_policy; }
  TEAMSAN_NO_INSTRUMENT reducer_type const& reducer() const { return m_functor_reducer.get_reducer(); }

 private:
  using WorkTag = typename Policy::work_tag;
  using Index = typename Policy::index_type;
  static constexpr int rank = Policy::rank;
  static constexpr bool left = Policy::inner_direction == Iterate::Left;

  /// The `thread`-th iteration of a tile; false outside the range.
  TEAMSAN_NO_INSTRUMENT bool locate(std::uint64_t tile, std::uint32_t thread, Index (&index)[rank]) const {
    for (int axis = 0; axis < rank; ++axis) {
      std::uint64_t const number = tile % m_tile_end[axis] * m_tile[axis] + thread % m_tile[axis];
      tile /= m_tile_end[axis];
      thread /= m_tile[axis];
      std::int64_t const i = m_lower[axis] + static_cast<std::int64_t>(number);
      if (i >= m_upper[axis]) return false;
      index[left ? axis : rank - 1 - axis] = static_cast<Index>(i);
    }
    return true;
  }

  template <std::size_t... I>
  TEAMSAN_NO_INSTRUMENT static void call(functor_type const& functor, Index const (&index)[rank],
                                         reference_type update, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<WorkTag>) {
      teamsan::simt::run_user_code(functor, index[I]..., update);
    } else {
      teamsan::simt::run_user_code(functor, WorkTag{}, index[I]..., update);
    }
  }

  TEAMSAN_NO_INSTRUMENT static void lane(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    TEAMSAN_LANE_VALUE(value_type, own, reducer_type::static_value_size(), self.m_value_bytes);
    void* const watched = self.m_buffer->watched_value(lane);
    pointer_type const value = watched != nullptr ? static_cast<pointer_type>(watched) : own;
    reference_type update = teamsan::simt::init_value(self.reducer(), value);
    functor_type const& functor = self.m_functor_reducer.get_functor();
    if (lane.thread < self.m_tile_work) {
      for (std::uint64_t tile = lane.league_rank; tile < self.m_tiles; tile += lane.league_size) {
        Index index[rank];
        if (!self.locate(tile, lane.thread, index)) continue;
        if (watched != nullptr) teamsan::next_iteration();
        call(functor, index, update, std::make_index_sequence<rank>{});
      }
    }
    self.m_buffer->hand_over(kernel, lane, value);
  }

  CombinedFunctorReducerType const m_functor_reducer;
  Policy const m_policy;
  pointer_type const m_result;
  // Set by execute(), for the lanes.
  mutable std::int64_t m_lower[rank] = {};
  mutable std::int64_t m_upper[rank] = {};
  mutable std::uint32_t m_tile[rank] = {};
  mutable std::uint64_t m_tile_end[rank] = {};
  mutable std::uint64_t m_tiles = 0;
  mutable std::uint32_t m_tile_work = 0;
  mutable std::size_t m_value_bytes = 0;
  mutable teamsan::simt::ReduceBuffer* m_buffer = nullptr;
};

}  // namespace Kokkos::Impl
