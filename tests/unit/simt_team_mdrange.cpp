// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nested multi-dimensional ranges, ranks 2 to 8, in the three iteration orders: every index is run by the
// lanes that are to run it, and reductions give the serial sum to every lane.
#include "SimtTeam.hpp"

#include <utility>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

constexpr int extents[8] = {3, 5, 2, 4, 2, 3, 2, 2};

template <int rank>
constexpr int volume() {
  int product = 1;
  for (int d = 0; d < rank; ++d) product *= extents[d];
  return product;
}

/// Row-major number of an index.
template <class... Index>
KOKKOS_FUNCTION int number(Index... index) {
  int const at[] = {index...};
  int n = 0;
  for (int d = 0; d < static_cast<int>(sizeof...(Index)); ++d) n = n * extents[d] + at[d];
  return n;
}

template <template <class, class> class Range, int rank, Kokkos::Iterate order, int... d>
KOKKOS_FUNCTION auto range(Member const& team, std::integer_sequence<int, d...>) {
  return Range<Kokkos::Rank<rank, order>, Member>(team, extents[d]...);
}

/// How often each index was run, added up over the lanes.
template <template <class, class> class Range, int rank, Kokkos::Iterate order, int... d>
void check_for(Shape const& s, int times, std::integer_sequence<int, d...> dimensions) {
  Kokkos::View<int***, Space> runs("runs", s.league, s.lanes(), volume<rank>());
  Kokkos::parallel_for(
      "md for", s.policy(), KOKKOS_LAMBDA(Member const& team) {
        int const league = team.league_rank(), me = lane();
        Kokkos::parallel_for(range<Range, rank, order>(team, dimensions),
                             [&](decltype(d)... i) { runs(league, me, number(i...)) += 1; });
      });
  auto const got = on_host(runs);
  Differences differences;
  for (int league = 0; league < s.league; ++league)
    for (int n = 0; n < volume<rank>(); ++n) {
      int sum = 0;
      for (int l = 0; l < s.lanes(); ++l) sum += got(league, l, n);
      differences.compare(sum, times, "team", league, "index", n);
    }
}

/// Sums over the part of the index space that each meeting joins; all lanes get the whole.
template <template <class, class> class Range, int rank, Kokkos::Iterate order, int... d>
void check_reduce(Shape const& s, std::integer_sequence<int, d...> dimensions) {
  every_lane_gets<long>(
      s,
      KOKKOS_LAMBDA(Member const& team) {
        long sum = 3;
        Kokkos::parallel_reduce(
            range<Range, rank, order>(team, dimensions),
            [&](decltype(d)... i, long& update) { update += number(i...) + 1; }, sum);
        return sum;
      },
      [](int) { return volume<rank>() * (volume<rank>() + 1L) / 2; });
}

template <int rank, Kokkos::Iterate order>
void check_order(Shape const& s) {
  auto const dimensions = std::make_integer_sequence<int, rank>();
  BOOST_TEST_CONTEXT("rank " << rank << ", order " << static_cast<int>(order)) {
    check_for<Kokkos::TeamThreadMDRange, rank, order>(s, s.vector, dimensions);
    check_for<Kokkos::ThreadVectorMDRange, rank, order>(s, s.team, dimensions);
    check_for<Kokkos::TeamVectorMDRange, rank, order>(s, 1, dimensions);
    check_reduce<Kokkos::TeamThreadMDRange, rank, order>(s, dimensions);
    check_reduce<Kokkos::ThreadVectorMDRange, rank, order>(s, dimensions);
    check_reduce<Kokkos::TeamVectorMDRange, rank, order>(s, dimensions);
  }
}

template <int rank>
void check_rank() {
  for (Shape const& s :
       {Shape{1, 1, 1}, Shape{2, 3, 1}, Shape{2, 3, 4}, Shape{1, 2, Policy::vector_length_max()}}) {
    BOOST_TEST_CONTEXT(text(s)) {
      check_order<rank, Kokkos::Iterate::Default>(s);
      check_order<rank, Kokkos::Iterate::Left>(s);
      check_order<rank, Kokkos::Iterate::Right>(s);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(rank2) { check_rank<2>(); }
BOOST_AUTO_TEST_CASE(rank3) { check_rank<3>(); }
BOOST_AUTO_TEST_CASE(rank4) { check_rank<4>(); }
BOOST_AUTO_TEST_CASE(rank5) { check_rank<5>(); }
BOOST_AUTO_TEST_CASE(rank8) { check_rank<8>(); }

BOOST_AUTO_TEST_CASE(lanes_are_spread_as_on_cuda) {
  // Iteration to the right: the last dimension goes to vector lanes, the one before it to threads.
  Shape const s{1, 4, 8};
  Kokkos::View<int**, Space> who("who", 9, 20);
  Kokkos::parallel_for(
      "who", s.policy(), KOKKOS_LAMBDA(Member const& team) {
        auto const range =
            Kokkos::TeamVectorMDRange<Kokkos::Rank<2, Kokkos::Iterate::Right>, Member>(team, 9, 20);
        Kokkos::parallel_for(range, [&](int i, int j) { who(i, j) = lane(); });
      });
  auto const got = on_host(who);
  Differences differences;
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 20; ++j) differences.compare(got(i, j), i % 4 * 8 + j % 8, i, j);
}
