// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for and parallel_reduce over a TeamPolicy: identity of teams and lanes, tags, results of every
// kind, lane 0 of each thread counting once, arrays, empty leagues, and the same bits whenever a reduction is
// repeated.
#include "SimtTeam.hpp"

#include "../../model/device/Device.hpp"
#include "../../sim/base/Options.hpp"

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

/// Sum over teams and threads of rank numbers.
long weight(Shape const& s) {
  long sum = 0;
  for (int league = 0; league < s.league; ++league)
    for (int thread = 0; thread < s.team; ++thread) sum += 10 * league + thread + 1;
  return sum;
}

/// Array reductions ask for whole warps.
int warp() { return static_cast<int>(teamsan::options().model().warp_width); }

struct First {};
struct Second {};

struct Tagged {
  Kokkos::View<int*, Space> seen;
  KOKKOS_FUNCTION void operator()(First, Member const& team) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] { seen(team.league_rank()) = 1; });
  }
  KOKKOS_FUNCTION void operator()(Second const&, Member const& team, int& update) const {
    update += 2 + team.league_rank();
  }
};

/// A reduction over an array whose length only the functor knows; each entry keeps the greatest.
struct Greatest {
  using value_type = int[];
  using execution_space = Space;
  unsigned value_count;
  KOKKOS_FUNCTION void operator()(Member const& team, value_type update) const {
    for (unsigned i = 0; i < value_count; ++i) {
      int const value = (team.league_rank() * 7 + team.team_rank() * 3 + static_cast<int>(i)) % 23;
      if (value > update[i]) update[i] = value;
    }
  }
  KOKKOS_FUNCTION void init(value_type update) const {
    for (unsigned i = 0; i < value_count; ++i) update[i] = -1;
  }
  KOKKOS_FUNCTION void join(value_type update, int const* other) const {
    for (unsigned i = 0; i < value_count; ++i)
      if (other[i] > update[i]) update[i] = other[i];
  }
  KOKKOS_FUNCTION void final(value_type update) const {
    for (unsigned i = 0; i < value_count; ++i) update[i] += 1000;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(identity) {
  in_every_shape([](Shape const& s) {
    Kokkos::View<int***, Space> who("who", s.league, s.lanes(), 4);
    Kokkos::parallel_for(
        "who", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          int const league = team.league_rank(), me = lane();
          who(league, me, 0) = team.league_rank();
          who(league, me, 1) = team.league_size();
          who(league, me, 2) = team.team_rank();
          who(league, me, 3) = team.team_size();
        });
    auto const got = on_host(who);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int l = 0; l < s.lanes(); ++l) {
        int const expected[] = {league, s.league, l / s.vector, s.team};
        for (int k = 0; k < 4; ++k) differences.compare(got(league, l, k), expected[k], league, l, k);
      }
  });
}

BOOST_AUTO_TEST_CASE(each_thread_counts_once) {
  in_every_shape([](Shape const& s) {
    auto const kernel = KOKKOS_LAMBDA(Member const& team, long& update) {
      update += 10 * team.league_rank() + team.team_rank() + 1;
    };
    long sum = -1;
    Kokkos::parallel_reduce("sum", s.policy(), kernel, sum);
    BOOST_TEST(sum == weight(s));
    long most = -1;
    Kokkos::parallel_reduce(
        "max", s.policy(),
        KOKKOS_LAMBDA(Member const& team, long& update) {
          update = Kokkos::max(update, 10L * team.league_rank() + team.team_rank() + 1);
        },
        Kokkos::Max<long>(most));
    BOOST_TEST(most == 10 * (s.league - 1) + s.team);
    Kokkos::View<long, Kokkos::HostSpace> host("host");
    Kokkos::parallel_reduce("host view", s.policy(), kernel, host);
    Kokkos::fence();
    BOOST_TEST(host() == weight(s));
    Kokkos::View<long, Space> device("device");
    Kokkos::parallel_reduce("device view", s.policy(), kernel, device);
    Kokkos::deep_copy(sum, device);
    BOOST_TEST(sum == weight(s));
    Kokkos::parallel_reduce("reducer on a view", s.policy(), kernel, Kokkos::Sum<long, Space>(device));
    Kokkos::deep_copy(sum, device);
    BOOST_TEST(sum == weight(s));
  });
}

BOOST_AUTO_TEST_CASE(several_results_and_small_values) {
  in_every_shape([](Shape const& s) {
    int sum = 0, most = 0;
    Kokkos::parallel_reduce(
        "two", s.policy(),
        KOKKOS_LAMBDA(Member const& team, int& a, int& b) {
          a += 1;
          b = Kokkos::max(b, team.team_rank());
        },
        sum, Kokkos::Max<int>(most));
    BOOST_TEST(sum == s.league * s.team);
    BOOST_TEST(most == s.team - 1);
    bool all = false;
    Kokkos::parallel_reduce(
        "and", s.policy(), KOKKOS_LAMBDA(Member const& team, bool& b) { b = b && team.team_rank() < 1000; },
        Kokkos::LAnd<bool>(all));
    BOOST_TEST(all);
  });
}

BOOST_AUTO_TEST_CASE(tags) {
  Tagged const functor{Kokkos::View<int*, Space>("seen", 6)};
  Kokkos::parallel_for("tagged", Kokkos::TeamPolicy<Space, First>(6, 4, 2), functor);
  auto const seen = on_host(functor.seen);
  for (int i = 0; i < 6; ++i) BOOST_TEST(seen(i) == 1);
  int sum = 0;
  Kokkos::parallel_reduce("tagged", Kokkos::TeamPolicy<Space, Second>(6, 4, 2), functor, sum);
  BOOST_TEST(sum == 4 * (2 * 6 + 15));
}

BOOST_AUTO_TEST_CASE(arrays) {
  for (int team : {warp(), 2 * warp()}) {
    Greatest const functor{5};
    int result[5] = {};
    Kokkos::parallel_reduce("array", Policy(7, team), functor, result);
    for (int i = 0; i < 5; ++i) {
      int expected = -1;
      for (int league = 0; league < 7; ++league)
        for (int thread = 0; thread < team; ++thread)
          expected = std::max(expected, (league * 7 + thread * 3 + i) % 23);
      BOOST_TEST(result[i] == expected + 1000);
    }
    Kokkos::View<int*, Space> device("device", 5);
    Kokkos::parallel_reduce("array view", Policy(7, team), functor, device);
    auto const got = on_host(device);
    for (int i = 0; i < 5; ++i) BOOST_TEST(got(i) == result[i]);
  }
}

BOOST_AUTO_TEST_CASE(empty_league) {
  int runs = 0;
  Kokkos::parallel_for(
      "none", Policy(0, 8), KOKKOS_LAMBDA(Member const&) { Kokkos::abort("no team, no kernel"); });
  Kokkos::parallel_reduce(
      "none", Policy(0, 8), KOKKOS_LAMBDA(Member const&, int& u) { u += 1; }, runs);
  BOOST_TEST(runs == 0);
  int product = 0;
  Kokkos::parallel_reduce(
      "none", Policy(0, 8), KOKKOS_LAMBDA(Member const&, int& u) { u *= 2; }, Kokkos::Prod<int>(product));
  BOOST_TEST(product == 1);
  int array[3] = {};
  Kokkos::parallel_reduce("none", Policy(0, warp()), Greatest{3}, array);
  for (int value : array) BOOST_TEST(value == 999);
}

BOOST_AUTO_TEST_CASE(automatic_team_size) {
  Kokkos::View<int, Space> size("size");
  Kokkos::parallel_for(
      "auto", Policy(3, Kokkos::AUTO, 4), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&] { Kokkos::atomic_store(&size(), team.team_size()); });
      });
  int team_size = 0, sum = 0;
  Kokkos::deep_copy(team_size, size);
  BOOST_TEST(team_size > 0);
  BOOST_TEST(team_size * 4 <= static_cast<int>(teamsan::options().model().max_team_lanes));
  Policy const automatic(3, Kokkos::AUTO, Kokkos::AUTO);
  auto const kernel = KOKKOS_LAMBDA(Member const&, int& u) { u += 1; };
  int const expected = automatic.team_size_recommended(kernel, Kokkos::ParallelReduceTag());
  Kokkos::parallel_reduce("auto", automatic, kernel, sum);
  BOOST_TEST(sum == 3 * expected);
}

BOOST_AUTO_TEST_CASE(repeated_sums_have_the_same_bits) {
  Shape const s{50, 7, 4};
  double first = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    double sum = 0;
    Kokkos::parallel_reduce(
        "sum", s.policy(),
        KOKKOS_LAMBDA(Member const& team, double& update) {
          update += 1.0 / (1 + team.league_rank() * 7 + team.team_rank());
        },
        sum);
    if (repeat == 0) first = sum;
    BOOST_TEST(sum == first);
  }
  BOOST_TEST(first > 6);
}
