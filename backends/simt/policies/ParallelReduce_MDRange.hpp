// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_reduce over an MDRangePolicy, in CUDA's geometry: one-dimensional blocks of a power of two of
/// lanes, at least as many as a tile has iterations, and no more blocks than a block has lanes; a block takes
/// every so-manieth tile, lane t the tile's t-th iteration. Values are joined by ReduceBuffer in a fixed
/// order.
#pragma once

#include "../launch/LaneSums.hpp"
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
    config.indices.rank = rank;
    for (int axis = 0; axis < rank; ++axis) {
      int const i = left ? axis : rank - 1 - axis;
      config.indices.first[i] = static_cast<std::int64_t>(m_policy.m_lower[i]);
      config.indices.count[i] = static_cast<std::uint64_t>(m_policy.m_upper[i] - m_policy.m_lower[i]);
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
    m_lanes = config.team_size;
    m_blocks = config.league_size;
    teamsan::launch(config, this, sizeof(*this), &lane, nullptr, nullptr, plain());
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

  friend struct teamsan::simt::BeginOfSum<ParallelReduce, reducer_type>;
  struct Tiles : teamsan::simt::BeginOfSum<ParallelReduce, reducer_type> {
    using Place = teamsan::simt::LanePlace<Index, rank>;
    TEAMSAN_ASKED_BY_LANES static std::uint64_t first_tile(teamsan::Lane const& lane) { return lane.league_rank; }
    TEAMSAN_ASKED_BY_LANES static std::uint64_t next_tile(teamsan::Lane const& lane, std::uint64_t tile) {
      return tile + lane.league_size;
    }
    TEAMSAN_ASKED_BY_LANES static Place place_of(void const* kernel, teamsan::Lane const& lane, std::uint64_t tile) {
      auto const& self = *static_cast<ParallelReduce const*>(kernel);
      Place place;
      if (lane.thread >= self.m_tile_work) return place;
      for (place.tile = tile; place.tile < self.m_tiles; place.tile += lane.league_size)
        if (place.is_there = self.locate(place.tile, lane.thread, place.index); place.is_there) break;
      return place;
    }
    TEAMSAN_ASKED_BY_LANES static bool end_lane(void const* kernel, teamsan::Lane const& lane,
                                                teamsan::simt::ReduceBuffer::Row* row, value_type value) {
      auto const& self = *static_cast<ParallelReduce const*>(kernel);
      reinterpret_cast<value_type*>(row->values)[lane.index] = value;
      if (++row->arrived == row->lanes) self.m_buffer->end_block(kernel, lane);
      return teamsan::next_lane();
    }
  };

  static constexpr teamsan::PlainBodies plain() {
    if constexpr (teamsan::simt::has_plain_bodies && teamsan::simt::joins_small_values<reducer_type>)
      return {teamsan::simt::plain_lane<&lane>(), &blocks};
    else
      return {teamsan::simt::plain_lane<&lane>()};
  }

  TEAMSAN_NO_INSTRUMENT static bool blocks(void const* kernel, std::uint64_t begin, std::uint64_t end) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    auto* const values = static_cast<value_type*>(self.m_buffer->block_value(0));
    if (self.m_lanes > teamsan::simt::most_plain_lanes<value_type> || !reduce_blocks(self, begin, end, values)) return false;
    if (begin < end) self.m_buffer->end_blocks(kernel, end - begin);
    return true;
  }
  TEAMSAN_PLAIN_BLOCKS static bool reduce_blocks(ParallelReduce const& self, std::uint64_t begin, std::uint64_t end,
                                                 value_type* values) {
    if (begin > end) return __teamsan_may_hand_over();
    if (!__teamsan_runs_together()) return false;
    teamsan::simt::PlainFunctor<functor_type> const functor(self.m_functor_reducer.get_functor());
    value_type of_lanes[teamsan::simt::most_plain_lanes<value_type>];
    value_type const first = teamsan::simt::plain_first_value(self.reducer());
    // What loops end by is not read in them: a lane that waits for another one does that.
    TileLoops const loops(self);
    for (std::uint64_t block = begin; block < end; ++block) {
      for (std::uint32_t lane = 0; lane < loops.lanes; ++lane) of_lanes[lane] = first;
      for (std::uint64_t tile = block; tile < loops.tiles; tile += loops.blocks)
        reduce_tile(functor.body(), loops, tile, of_lanes, std::make_integer_sequence<int, rank>{});
      values[block] = teamsan::simt::plain_join(self.reducer(), of_lanes, loops.lanes);
    }
    return true;
  }
  struct TileLoops {
    [[gnu::always_inline]] explicit TileLoops(ParallelReduce const& self)
        : tiles(self.m_tiles), blocks(self.m_blocks), lanes(self.m_lanes), work(self.m_tile_work) {
      for (int axis = 0; axis != rank; ++axis) {
        lower[axis] = self.m_lower[axis];
        upper[axis] = self.m_upper[axis];
        size[axis] = self.m_tile[axis];
        count[axis] = self.m_tile_end[axis];
      }
    }
    std::uint64_t tiles, blocks;
    std::uint32_t lanes, work;
    std::int64_t lower[rank], upper[rank];
    std::uint32_t size[rank];
    std::uint64_t count[rank];
  };
  /// Row by row along the fastest index: each iteration into its lane's value.
  template <int... dimensions>
  [[gnu::always_inline]] static void reduce_tile(functor_type const& body, TileLoops const& loops, std::uint64_t tile,
                                                 value_type* of_lanes, std::integer_sequence<int, dimensions...>) {
    std::int64_t begin[rank];
    for (int axis = 0; axis != rank; tile /= loops.count[axis++])
      begin[axis] = loops.lower[axis] + static_cast<std::int64_t>(tile % loops.count[axis] * loops.size[axis]);
    std::int64_t const left_over = loops.upper[0] - begin[0];
    auto const row = static_cast<std::uint32_t>(left_over < loops.size[0] ? left_over : loops.size[0]);
    constexpr int fastest = left ? 0 : rank - 1;
    for (std::uint32_t thread = 0; thread < loops.work; thread += loops.size[0]) {
      Index first[rank];
      first[fastest] = static_cast<Index>(begin[0]);
      bool inside = true;
      std::uint32_t rest = thread / loops.size[0];
      for (int axis = 1; axis < rank; rest /= loops.size[axis++]) {
        std::int64_t const i = begin[axis] + static_cast<std::int64_t>(rest % loops.size[axis]);
        inside &= i < loops.upper[axis];
        first[left ? axis : rank - 1 - axis] = static_cast<Index>(i);
      }
      if (!inside) continue;
      for (std::uint32_t x = 0; x < row; ++x) {
        Index own[] = {static_cast<Index>(first[dimensions] + (dimensions == fastest ? static_cast<Index>(x) : Index{}))...};
        value_type value = of_lanes[thread + x];
        teamsan::simt::call_plain<WorkTag>(body, own[dimensions]..., value);
        of_lanes[thread + x] = value;
      }
    }
  }

  TEAMSAN_NO_INSTRUMENT static void lane(void const* kernel, teamsan::Lane const& lane) {
    auto const& self = *static_cast<ParallelReduce const*>(kernel);
    if constexpr (teamsan::simt::joins_small_values<reducer_type>) {
      bool const watches = self.m_buffer->watched_value(lane) != nullptr;
      // What lanes access is told there, too: where values are looked at, of no lane.
      if (!watches || (lane.index == 0 && teamsan::simt::tells_accesses<functor_type>))
        teamsan::simt::run_user_code_of_tiles<WorkTag, Tiles, value_type>(
            self.m_functor_reducer.get_functor(), !watches, kernel, &lane,
            watches ? nullptr : &self.m_buffer->row(lane.league_rank), std::make_integer_sequence<int, rank>{});
      if (!watches) return;
    }
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
  mutable std::uint32_t m_lanes = 0;
  mutable std::uint64_t m_blocks = 0;
  mutable std::size_t m_value_bytes = 0;
  mutable teamsan::simt::ReduceBuffer* m_buffer = nullptr;
};

}  // namespace Kokkos::Impl
