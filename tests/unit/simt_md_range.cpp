// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MDRangePolicy: every iteration once for ranks 2 to 6 and both directions; tiles are blocks, the fastest
// index runs along the lanes; reductions over the same ranges.
#include "SimtHost.hpp"

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Counts = Kokkos::View<int*, Space>;
using Kokkos::Iterate;

/// Extents no tile size divides.
constexpr int n0 = 7, n1 = 5, n2 = 6, n3 = 3, n4 = 2, n5 = 5;

/// The number of an iteration, index by index.
template <class... Index>
KOKKOS_FUNCTION int number(Index... index) {
  int const extents[6] = {n0, n1, n2, n3, n4, n5};
  int const indices[] = {static_cast<int>(index)...};
  int result = 0;
  for (std::size_t i = 0; i < sizeof...(Index); ++i) result = result * extents[i] + indices[i];
  return result;
}

struct Count {
  Counts counts;
  template <class... Index>
  KOKKOS_FUNCTION void operator()(Index... index) const {
    counts(number(index...)) += 1;
  }
};

struct Add {
  template <class... Index>
  KOKKOS_FUNCTION void add(long& sum, Index... index) const {
    sum += number(index...) + 1;
  }
  KOKKOS_FUNCTION void operator()(int a, int b, long& s) const { add(s, a, b); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, long& s) const { add(s, a, b, c); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, long& s) const { add(s, a, b, c, d); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, long& s) const { add(s, a, b, c, d, e); }
  KOKKOS_FUNCTION void operator()(int a, int b, int c, int d, int e, int f, long& s) const {
    add(s, a, b, c, d, e, f);
  }
};

template <class Policy>
void check(Policy const& policy, int work) {
  Counts counts("counts", work);
  Kokkos::parallel_for("count", policy, Count{counts});
  BOOST_TEST(differences(counts, [](std::size_t) { return 1; }) == 0);
  long sum = -1;
  Kokkos::parallel_reduce("add", policy, Add{}, sum);
  BOOST_TEST(sum == static_cast<long>(work) * (work + 1) / 2);
}

template <Iterate direction>
void check_all_ranks() {
  check(Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, direction, direction>>({0, 0}, {n0, n1}), n0 * n1);
  check(Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, direction, direction>>({0, 0, 0}, {n0, n1, n2}),
        n0 * n1 * n2);
  check(Kokkos::MDRangePolicy<Space, Kokkos::Rank<4, direction, direction>>({0, 0, 0, 0}, {n0, n1, n2, n3}),
        n0 * n1 * n2 * n3);
  check(Kokkos::MDRangePolicy<Space, Kokkos::Rank<5, direction, direction>>({0, 0, 0, 0, 0},
                                                                            {n0, n1, n2, n3, n4}),
        n0 * n1 * n2 * n3 * n4);
  check(Kokkos::MDRangePolicy<Space, Kokkos::Rank<6, direction, direction>>({0, 0, 0, 0, 0, 0},
                                                                            {n0, n1, n2, n3, n4, n5}),
        n0 * n1 * n2 * n3 * n4 * n5);
  check(
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, direction, direction>>({0, 0, 0}, {n0, n1, n2}, {2, 3, 4}),
      n0 * n1 * n2);
  check(Kokkos::MDRangePolicy<Space, Kokkos::Rank<5, direction, direction>>(
            {0, 0, 0, 0, 0}, {n0, n1, n2, n3, n4}, {3, 2, 2, 1, 3}),
        n0 * n1 * n2 * n3 * n4);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_iteration_runs_once_left) { check_all_ranks<Iterate::Left>(); }
BOOST_AUTO_TEST_CASE(every_iteration_runs_once_right) { check_all_ranks<Iterate::Right>(); }

BOOST_AUTO_TEST_CASE(lower_bounds_shift_the_range) {
  Counts counts("counts", 10);
  Kokkos::parallel_for(
      // Kokkos 4.6 refuses a negative bound where the space's own index type, which is unsigned, is taken.
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>, Kokkos::IndexType<int>>({-3, 4}, {2, 6}),
      KOKKOS_LAMBDA(int i, int j) { counts((i + 3) * 2 + j - 4) += 1; });
  BOOST_TEST(differences(counts, [](std::size_t) { return 1; }) == 0);
}

BOOST_AUTO_TEST_CASE(an_empty_dimension_runs_nothing) {
  Counts counts("counts", 1);
  using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      Policy({0, 3}, {5, 3}), KOKKOS_LAMBDA(int, int) { counts(0) = 1; });
  BOOST_TEST(differences(counts, [](std::size_t) { return 0; }) == 0);
  long sum = -1;
  Kokkos::parallel_reduce(
      Policy({0, 3}, {5, 3}), KOKKOS_LAMBDA(int, int, long& s) { s += 1; }, sum);
  BOOST_TEST(sum == 0);
}

BOOST_AUTO_TEST_CASE(a_tile_is_a_block_and_the_fastest_index_runs_along_its_lanes) {
  Kokkos::View<int**, Space> lane_of("lane", 8, 6), block_of("block", 8, 6);
  auto const note = KOKKOS_LAMBDA(int i, int j) {
    lane_of(i, j) = lane();
    block_of(i, j) = block();
  };
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, Iterate::Left, Iterate::Left>>({0, 0}, {8, 6}, {4, 3}),
      note);
  auto lanes = on_host(lane_of);
  auto blocks = on_host(block_of);
  int wrong = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 6; ++j)
      wrong += lanes(i, j) != i % 4 + 4 * (j % 3) || blocks(i, j) != i / 4 + 2 * (j / 3);
  BOOST_TEST(wrong == 0);
  Kokkos::parallel_for(
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, Iterate::Right, Iterate::Right>>({0, 0}, {8, 6}, {4, 3}),
      note);
  lanes = on_host(lane_of);
  blocks = on_host(block_of);
  wrong = 0;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 6; ++j)
      wrong += lanes(i, j) != j % 3 + 3 * (i % 4) || blocks(i, j) != j / 3 + 2 * (i / 4);
  BOOST_TEST(wrong == 0);
}

namespace {

/// Kokkos 4's CUDA backend has two numbers for all ranks.
template <class Properties>
constexpr bool has_old_tiles_v = requires(Properties properties) { properties.default_tile_size; };
constexpr bool old_tiles = has_old_tiles_v<Kokkos::Impl::TileSizeProperties>;

}  // namespace

BOOST_AUTO_TEST_CASE(default_tiles_are_cudas) {
  Kokkos::MDRangePolicy<Space, Kokkos::Rank<3>> const policy({0, 0, 0}, {100, 100, 100});
  BOOST_TEST(policy.m_tile[0] == (old_tiles ? 16 : 32));
  BOOST_TEST(policy.m_tile[1] == 2);
  BOOST_TEST(policy.m_tile[2] == (old_tiles ? 2 : 4));
  Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, Iterate::Right, Iterate::Right>> const right({0, 0},
                                                                                            {100, 100});
  BOOST_TEST(right.m_tile[0] == (old_tiles ? 2 : 4));
  BOOST_TEST(right.m_tile[1] == (old_tiles ? 16 : 64));
}

BOOST_AUTO_TEST_CASE(reducers_over_tiles) {
  Kokkos::MinMaxScalar<int> range;
  Kokkos::parallel_reduce(
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>({0, 0}, {100, 70}),
      KOKKOS_LAMBDA(int i, int j, Kokkos::MinMaxScalar<int>& r) {
        int const value = i * 3 - j * 5;
        if (value < r.min_val) r.min_val = value;
        if (value > r.max_val) r.max_val = value;
      },
      Kokkos::MinMax<int>(range));
  BOOST_TEST(range.min_val == -345);
  BOOST_TEST(range.max_val == 297);
}
