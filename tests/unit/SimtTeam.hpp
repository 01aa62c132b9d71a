// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the tests of the team constructs share: the shapes they run in, and the way from a View to host
/// values. Every lane stores what it got in a place of its own, so that the tests themselves are free of
/// races.
#pragma once

#include <Kokkos_Core.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace simt_team {

using Space = teamsan::Simt;
using Policy = Kokkos::TeamPolicy<Space>;
using Member = Policy::member_type;
using Scratch = Space::scratch_memory_space;

/// A launch: league x team x vector lanes.
struct Shape {
  int league, team, vector;
  int lanes() const { return team * vector; }
  Policy policy() const { return Policy(league, team, vector); }
};

inline std::string text(Shape const& s) {
  return "league " + std::to_string(s.league) + ", team " + std::to_string(s.team) + ", vector " +
         std::to_string(s.vector);
}

/// Teams of one thread, of less than a warp, of a few warps, of no power of two; all vector lengths that
/// matter and that the modelled device has.
inline std::vector<Shape> const& shapes() {
  static std::vector<Shape> const all = [] {
    std::vector<Shape> wanted = {{1, 1, 1}, {2, 1, 4},  {3, 1, 32}, {1, 2, 2},  {4, 3, 1},  {2, 5, 4},
                                 {2, 8, 2}, {2, 4, 32}, {1, 33, 1}, {2, 32, 4}, {1, 64, 2}, {1, 7, 32}};
    for (Shape& shape : wanted) shape.vector = std::min(shape.vector, Policy::vector_length_max());
    return wanted;
  }();
  return all;
}

/// The calling lane's index in its team, asked of the simulator and not of the handle under test. Not
/// instrumented: to a kernel the simulator's own memory is the host's.
TEAMSAN_NO_INSTRUMENT inline int lane() { return static_cast<int>(teamsan::this_lane().index); }
TEAMSAN_NO_INSTRUMENT inline int vector_lane() { return static_cast<int>(teamsan::this_lane().vector_lane); }

template <class View>
auto on_host(View const& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Runs `body(shape)` for every shape, naming it in failures.
template <class Body>
void in_every_shape(Body const& body) {
  for (Shape const& shape : shapes()) {
    BOOST_TEST_CONTEXT(text(shape)) { body(shape); }
  }
}

/// Counts what differs and keeps the first difference: one Boost assertion per value would take most of the
/// time.
class Differences {
 public:
  template <class Got, class Expected, class... Where>
  void compare(Got const& got, Expected const& expected, Where const&... where) {
    if (got == expected) return;
    if (m_count++ == 0)
      m_first << "got " << got << ", not " << expected << ", at", ((m_first << ' ' << where), ...);
  }
  ~Differences() { BOOST_TEST(m_count == 0, m_count << " values differ; first: " << m_first.str()); }

 private:
  int m_count = 0;
  std::ostringstream m_first;
};

/// Every lane of every team stores one T; all must equal `expected(league)`.
template <class T, class Kernel, class Expected>
void every_lane_gets(Shape const& shape, Policy const& policy, Kernel const& kernel,
                     Expected const& expected) {
  Kokkos::View<T**, Space> got("got", shape.league, shape.lanes());
  Kokkos::parallel_for(
      "every_lane_gets", policy,
      KOKKOS_LAMBDA(Member const& team) { got(team.league_rank(), lane()) = kernel(team); });
  auto const values = on_host(got);
  Differences differences;
  for (int league = 0; league < shape.league; ++league)
    for (int i = 0; i < shape.lanes(); ++i)
      differences.compare(values(league, i), expected(league), "team", league, "lane", i);
}

template <class T, class Kernel, class Expected>
void every_lane_gets(Shape const& shape, Kernel const& kernel, Expected const& expected) {
  every_lane_gets<T>(shape, shape.policy(), kernel, expected);
}

/// Kokkos from the first test to the last. Use: BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard).
struct KokkosGuard {
  KokkosGuard() { Kokkos::initialize(); }
  ~KokkosGuard() { Kokkos::finalize(); }
};

}  // namespace simt_team
