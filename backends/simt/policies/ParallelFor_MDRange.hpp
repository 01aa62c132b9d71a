// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_for over an MDRangePolicy: a block a tile, a lane an iteration. Lanes and blocks are numbered as
/// impl/KokkosExp_IterateTileGPU.hpp does it: the fastest index runs along x; from rank 4 on two indices
/// share a hardware dimension, over which they are numbered through, so that a warp covers the same
/// iterations as on CUDA.
#pragma once

#include "../launch/Launch.hpp"
#include "MDRangePolicy.hpp"

#include <Kokkos_Parallel.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos::Impl {

template <class FunctorType, class... Traits>
class ParallelFor<FunctorType, Kokkos::MDRangePolicy<Traits...>, teamsan::Simt> {
 public:
  using Policy = Kokkos::MDRangePolicy<Traits...>;
  using functor_type = FunctorType;

  ParallelFor(FunctorType const& functor, Policy const& policy) : m_functor(functor), m_policy(policy) {}

  template <typename P, typename F>
  static int max_tile_size_product(P const&, F const&) {
    return teamsan::simt::max_tile_size();
  }

  void execute() const {
    if (teamsan::simt::is_nested_launch()) return;
    auto config = teamsan::simt::describe<FunctorType>(teamsan::Pattern::parallel_for,
                                                       teamsan::Policy::md_range, m_policy.space());
    if (m_policy.m_num_tiles == 0) return;
    for (int dimension = 0; dimension < 3; ++dimension) m_block[dimension] = m_grid[dimension] = 1;
    config.indices.rank = rank;
    config.indices.is_last_fastest = !left;
    for (int axis = 0; axis < rank; ++axis) {
      int const i = left ? axis : rank - 1 - axis;
      config.indices.first[i] = static_cast<std::int64_t>(m_policy.m_lower[i]);
      config.indices.count[i] = static_cast<std::uint64_t>(m_policy.m_upper[i] - m_policy.m_lower[i]);
      if constexpr (dimensions == rank) config.indices.block[i] = static_cast<std::uint64_t>(m_policy.m_tile[i]);
      m_lower[axis] = m_policy.m_lower[i];
      m_upper[axis] = m_policy.m_upper[i];
      m_extent[axis] = static_cast<std::uint64_t>(m_policy.m_tile[i] * m_policy.m_tile_end[i]);
      m_block[dimension_of(axis)] *= static_cast<std::uint32_t>(m_policy.m_tile[i]);
      m_grid[dimension_of(axis)] *= static_cast<std::uint64_t>(m_policy.m_tile_end[i]);
    }
    config.team_size = m_block[0] * m_block[1] * m_block[2];
    config.league_size = m_grid[0] * m_grid[1] * m_grid[2];
    teamsan::launch(config, this, sizeof(*this), &lane, nullptr, nullptr, plain());
  }

  Policy const& get_policy() const { return m_policy; }

 private:
  using WorkTag = typename Policy::work_tag;
  using Index = typename Policy::index_type;
  static constexpr int rank = Policy::rank;
  static constexpr bool left = Policy::inner_direction == Iterate::Left;

  /// Axes count from the fastest. Of ranks above 3 the first rank - 3 hardware dimensions take two axes each.
  static constexpr bool is_shared(int dimension) { return dimension < rank - 3; }
  static constexpr int first_axis(int dimension) {
    int axis = 0;
    for (int d = 0; d < dimension; ++d) axis += is_shared(d) ? 2 : 1;
    return axis;
  }
  static constexpr int dimension_of(int axis) {
    int dimension = 0;
    while (first_axis(dimension + 1) <= axis) ++dimension;
    return dimension;
  }
  static constexpr int dimensions = dimension_of(rank - 1) + 1;

  using Row = teamsan::simt::LaneRow<Index, rank>;
  struct Rows {
    TEAMSAN_ASKED_BY_LANES static Row row_of(void const* kernel, teamsan::Lane const& lane) {
      return static_cast<ParallelFor const*>(kernel)->locate(lane);
    }
  };

  TEAMSAN_NO_INSTRUMENT Row locate(teamsan::Lane const& lane) const {
    Row found;
    std::uint32_t thread = lane.thread;
    std::uint64_t block = lane.league_rank;
    std::uint64_t number[rank];
    std::uint64_t row = m_block[0] - thread % m_block[0];
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      int const axis = first_axis(dimension);
      std::uint64_t flat = thread % m_block[dimension];
      thread /= m_block[dimension];
      if (m_grid[dimension] > 1) {
        flat += block % m_grid[dimension] * m_block[dimension];
        block /= m_grid[dimension];
      }
      if (is_shared(dimension)) {
        number[axis] = flat % m_extent[axis];
        number[axis + 1] = flat / m_extent[axis];
      } else {
        number[axis] = flat;
      }
    }
    if (is_shared(0) && m_extent[0] - number[0] < row) row = m_extent[0] - number[0];
    for (int axis = 0; axis < rank; ++axis) {
      std::int64_t const i = m_lower[axis] + static_cast<std::int64_t>(number[axis]);
      if (i >= m_upper[axis]) return found;
      if (auto const left_over = static_cast<std::uint64_t>(m_upper[axis] - i); axis == 0 && left_over < row) row = left_over;
      found.index[left ? axis : rank - 1 - axis] = static_cast<Index>(i);
    }
    found.lanes = row;
    return found;
  }

  TEAMSAN_NO_INSTRUMENT static void lane(void const* kernel, teamsan::Lane const& lane) {
    teamsan::simt::run_user_code_of_rows<WorkTag, Rows, left ? 0 : rank - 1>(
        static_cast<ParallelFor const*>(kernel)->m_functor, kernel, &lane, std::make_integer_sequence<int, rank>{});
  }

  static constexpr teamsan::PlainBodies plain() {
    if constexpr (teamsan::simt::has_plain_bodies)
      return {teamsan::simt::plain_lane<&lane>(), &blocks};
    else
      return {};
  }

  /// The iterations of so many lanes side by side, of which the first one's is `first`.
  template <int... axes>
  [[gnu::always_inline]] static void run_row(FunctorType const& body, Index const (&first)[rank], std::uint64_t lanes,
                                             std::integer_sequence<int, axes...>) {
    constexpr int fastest = left ? 0 : rank - 1;
    for (Index i = first[fastest], end = static_cast<Index>(i + static_cast<Index>(lanes)); i < end; ++i) {
      Index own[] = {(axes == fastest ? i : first[axes])...};  // as in HandedOver
      teamsan::simt::call_plain<WorkTag>(body, own[axes]...);
    }
  }

  TEAMSAN_PLAIN_BLOCKS static bool blocks(void const* kernel, std::uint64_t begin, std::uint64_t end) {
    if (begin > end) return __teamsan_may_hand_over();
    if (!__teamsan_runs_together()) return false;
    auto const& self = *static_cast<ParallelFor const*>(kernel);
    teamsan::simt::PlainFunctor<FunctorType> const functor(self.m_functor);
    constexpr auto axes = std::make_integer_sequence<int, rank>{};
    if constexpr (rank <= 3) {
      for (std::uint64_t block = begin; block < end; ++block) {
        std::int64_t first[3] = {0, 0, 0}, last[3] = {1, 1, 1};
        for (std::uint64_t axis = 0, tile = block; axis != rank; tile /= self.m_grid[axis++]) {
          first[axis] = self.m_lower[axis] + static_cast<std::int64_t>(tile % self.m_grid[axis] * self.m_block[axis]);
          std::int64_t const behind = first[axis] + self.m_block[axis];
          last[axis] = behind < self.m_upper[axis] ? behind : self.m_upper[axis];
        }
        if (first[0] >= last[0]) continue;
        for (std::int64_t z = first[2]; z < last[2]; ++z)
          for (std::int64_t y = first[1]; y < last[1]; ++y) {
            std::int64_t const at[] = {first[0], y, z};
            Index index[rank];
            for (int axis = 0; axis != rank; ++axis) index[left ? axis : rank - 1 - axis] = static_cast<Index>(at[axis]);
            run_row(functor.body(), index, static_cast<std::uint64_t>(last[0] - first[0]), axes);
          }
      }
      return true;
    }
    std::uint32_t const lanes = self.m_block[0] * self.m_block[1] * self.m_block[2];
    teamsan::Lane lane{};
    for (std::uint64_t block = begin; block < end; ++block)
      for (std::uint32_t thread = 0; thread < lanes;) {
        lane.league_rank = block;
        lane.thread = thread;
        Row const row = self.locate(lane);
        run_row(functor.body(), row.index, row.lanes, axes);
        thread += row.lanes != 0 ? static_cast<std::uint32_t>(row.lanes) : 1;
      }
    return true;
  }

  FunctorType const m_functor;
  Policy const m_policy;
  // Set by execute(), for the lanes.
  mutable std::int64_t m_lower[rank] = {};
  mutable std::int64_t m_upper[rank] = {};
  mutable std::uint64_t m_extent[rank] = {};  ///< tile size times tiles
  mutable std::uint32_t m_block[3] = {};
  mutable std::uint64_t m_grid[3] = {};
};

}  // namespace Kokkos::Impl
