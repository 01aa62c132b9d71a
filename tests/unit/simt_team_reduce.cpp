// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions inside a team: every lane gets the join over the range, lane 0 of each thread counting where all
// vector lanes run the same body. All of Kokkos' reducers, reducers and functors of the user's own, several
// results at once.
#include "SimtTeam.hpp"

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

constexpr int count = 41;

/// Values with a unique least and greatest, bits of all kinds, zeros among them.
KOKKOS_FUNCTION int datum(int league, int i) { return (i * 37 + league * 11 + 5) % 61 - 17; }

struct Threads {
  KOKKOS_FUNCTION auto operator()(Member const& team, int n) const {
    return Kokkos::TeamThreadRange(team, n);
  }
};
struct Lanes {
  KOKKOS_FUNCTION auto operator()(Member const& team, int n) const {
    return Kokkos::ThreadVectorRange(team, n);
  }
};
struct Both {
  KOKKOS_FUNCTION auto operator()(Member const& team, int n) const {
    return Kokkos::TeamVectorRange(team, n);
  }
};

template <class Body>
void over_every_range(Body const& body) {
  BOOST_TEST_CONTEXT("TeamThreadRange") { body(Threads()); }
  BOOST_TEST_CONTEXT("ThreadVectorRange") { body(Lanes()); }
  BOOST_TEST_CONTEXT("TeamVectorRange") { body(Both()); }
}

/// A reducer of Kokkos' over every range; the serial reference uses the reducer's own init and join.
template <class Reducer, class Make>
void check_reducer(char const* name, Make const& make) {
  using Value = typename Reducer::value_type;
  BOOST_TEST_CONTEXT(name) {
    in_every_shape([&](Shape const& s) {
      over_every_range([&](auto const& range) {
        every_lane_gets<Value>(
            s,
            KOKKOS_LAMBDA(Member const& team) {
              Value result;
              int const league = team.league_rank();
              Kokkos::parallel_reduce(
                  range(team, count),
                  [&](int i, Value& update) { Reducer(update).join(update, make(league, i)); },
                  Reducer(result));
              return result;
            },
            [&](int league) {
              Value expected;
              Reducer reducer(expected);
              reducer.init(expected);
              for (int i = 0; i < count; ++i) reducer.join(expected, make(league, i));
              return expected;
            });
      });
    });
  }
}

/// A value of more than a few words.
struct Wide {
  double sum[5] = {0, 0, 0, 0, 0};
  KOKKOS_FUNCTION Wide& operator+=(Wide const& other) {
    for (int i = 0; i < 5; ++i) sum[i] += other.sum[i];
    return *this;
  }
  bool operator==(Wide const&) const = default;
  friend std::ostream& operator<<(std::ostream& out, Wide const& w) {
    return out << w.sum[0] << ".." << w.sum[4];
  }
};

/// A reducer of the user's own, with a state.
struct Nearest {
  using reducer = Nearest;
  using value_type = int;
  using result_view_type = Kokkos::View<int, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  int target;
  int* result;
  KOKKOS_FUNCTION void join(int& to, int const& from) const {
    int const a = Kokkos::abs(to - target), b = Kokkos::abs(from - target);
    if (b < a || (b == a && from < to)) to = from;
  }
  KOKKOS_FUNCTION void init(int& value) const { value = 1000000; }
  KOKKOS_FUNCTION int& reference() const { return *result; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result); }
};

/// A functor with its own init, join and final.
struct LargestEven {
  int league;
  KOKKOS_FUNCTION void operator()(int i, int& update) const {
    int const d = datum(league, i);
    if (d % 2 == 0) join(update, d);
  }
  KOKKOS_FUNCTION void init(int& value) const { value = -1000; }
  KOKKOS_FUNCTION void join(int& to, int const& from) const { to = Kokkos::max(to, from); }
  KOKKOS_FUNCTION void final(int& value) const { value *= 10; }
};
static_assert(!Kokkos::Impl::simt_is_plain_sum<LargestEven, int>());
static_assert(Kokkos::Impl::simt_is_plain_sum<decltype([](int, long&) {}), long>());

int sum_of(int league, int n = count) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += datum(league, i);
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(scalar_results) {
  in_every_shape([](Shape const& s) {
    over_every_range([&](auto const& range) {
      for (int n : {0, 1, count})
        every_lane_gets<long>(
            s,
            KOKKOS_LAMBDA(Member const& team) {
              long sum = 77;
              int const league = team.league_rank();
              Kokkos::parallel_reduce(
                  range(team, n), [&](int i, long& update) { update += datum(league, i); }, sum);
              return sum;
            },
            [&](int league) { return sum_of(league, n); });
    });
  });
}

BOOST_AUTO_TEST_CASE(builtin_reducers) {
  auto const number = KOKKOS_LAMBDA(int league, int i) { return datum(league, i); };
  check_reducer<Kokkos::Sum<int, Space>>("Sum", number);
  check_reducer<Kokkos::Min<int, Space>>("Min", number);
  check_reducer<Kokkos::Max<int, Space>>("Max", number);
  check_reducer<Kokkos::BAnd<int, Space>>("BAnd", number);
  check_reducer<Kokkos::BOr<int, Space>>("BOr", number);
  check_reducer<Kokkos::LAnd<int, Space>>("LAnd", number);
  check_reducer<Kokkos::LOr<int, Space>>("LOr", number);
  check_reducer<Kokkos::Prod<double, Space>>(
      "Prod", KOKKOS_LAMBDA(int, int i) { return i % 3 == 0 ? 2.0 : 1.0; });
}

BOOST_AUTO_TEST_CASE(location_reducers) {
  // A permutation: least and greatest are unique, so that the place does not hang on the order.
  auto const value = KOKKOS_LAMBDA(int i) { return i * 7 % count; };
  in_every_shape([&](Shape const& s) {
    over_every_range([&](auto const& range) {
      using MinLoc = Kokkos::MinLoc<int, int, Space>;
      using MaxLoc = Kokkos::MaxLoc<int, int, Space>;
      using MinMaxLoc = Kokkos::MinMaxLoc<int, int, Space>;
      using MinMax = Kokkos::MinMax<int, Space>;
      every_lane_gets<int>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            MinLoc::value_type low;
            MaxLoc::value_type high;
            MinMaxLoc::value_type ends;
            MinMax::value_type values;
            Kokkos::parallel_reduce(
                range(team, count),
                [&](int i, MinLoc::value_type& u) {
                  if (value(i) < u.val) u.val = value(i), u.loc = i;
                },
                MinLoc(low));
            Kokkos::parallel_reduce(
                range(team, count),
                [&](int i, MaxLoc::value_type& u) {
                  if (value(i) > u.val) u.val = value(i), u.loc = i;
                },
                MaxLoc(high));
            Kokkos::parallel_reduce(
                range(team, count),
                [&](int i, MinMaxLoc::value_type& u) {
                  int const v = value(i);
                  if (v < u.min_val) u.min_val = v, u.min_loc = i;
                  if (v > u.max_val) u.max_val = v, u.max_loc = i;
                },
                MinMaxLoc(ends));
            Kokkos::parallel_reduce(
                range(team, count),
                [&](int i, MinMax::value_type& u) {
                  int const v = value(i);
                  u.min_val = Kokkos::min(u.min_val, v);
                  u.max_val = Kokkos::max(u.max_val, v);
                },
                MinMax(values));
            bool const agree = low.val == ends.min_val && low.loc == ends.min_loc &&
                               high.val == ends.max_val && high.loc == ends.max_loc &&
                               values.min_val == low.val && values.max_val == high.val;
            return agree ? low.loc * 1000 + high.loc : -1;
          },
          [&](int) {
            int low = 0, high = 0;
            for (int i = 0; i < count; ++i) {
              if (value(i) < value(low)) low = i;
              if (value(i) > value(high)) high = i;
            }
            return low * 1000 + high;
          });
    });
  });
}

BOOST_AUTO_TEST_CASE(wide_values_and_own_reducers) {
  in_every_shape([](Shape const& s) {
    over_every_range([&](auto const& range) {
      every_lane_gets<Wide>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            Wide result;
            Kokkos::parallel_reduce(
                range(team, count), [&](int i, Wide& update) { update.sum[i % 5] += i; }, result);
            return result;
          },
          [](int) {
            Wide expected;
            for (int i = 0; i < count; ++i) expected.sum[i % 5] += i;
            return expected;
          });
      every_lane_gets<int>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int result = 0, league = team.league_rank();
            Nearest const nearest{9, &result};
            Kokkos::parallel_reduce(
                range(team, count), [&](int i, int& update) { nearest.join(update, datum(league, i)); },
                nearest);
            return result;
          },
          [](int league) {
            int result = 0;
            Nearest const nearest{9, &result};
            nearest.init(result);
            for (int i = 0; i < count; ++i) nearest.join(result, datum(league, i));
            return result;
          });
      every_lane_gets<int>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int result = 0;
            Kokkos::parallel_reduce(range(team, count), LargestEven{team.league_rank()}, result);
            return result;
          },
          [](int league) {
            LargestEven const functor{league};
            int result;
            functor.init(result);
            for (int i = 0; i < count; ++i) functor(i, result);
            functor.final(result);
            return result;
          });
    });
  });
}

BOOST_AUTO_TEST_CASE(several_results) {
  in_every_shape([](Shape const& s) {
    over_every_range([&](auto const& range) {
      every_lane_gets<long>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int const league = team.league_rank();
            long sum = 0;
            int most = 0;
            Kokkos::parallel_reduce(
                range(team, count),
                [&](int i, long& s_, int& m) {
                  s_ += datum(league, i);
                  m = Kokkos::max(m, datum(league, i));
                },
                sum, Kokkos::Max<int, Space>(most));
            return sum * 1000 + most;
          },
          [](int league) {
            int most = datum(league, 0);
            for (int i = 0; i < count; ++i) most = std::max(most, datum(league, i));
            return sum_of(league) * 1000L + most;
          });
    });
  });
}

BOOST_AUTO_TEST_CASE(result_in_a_view) {
  Shape const s{3, 4, 1};
  Kokkos::View<int*, Space> results("results", s.league * s.team);
  Kokkos::parallel_for(
      "view result", s.policy(), KOKKOS_LAMBDA(Member const& team) {
        int const league = team.league_rank();
        auto const mine = Kokkos::subview(results, league * s.team + team.team_rank());
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, count), [&](int i, int& update) { update += datum(league, i); },
            mine);
      });
  auto const got = on_host(results);
  for (int i = 0; i < s.league * s.team; ++i) BOOST_TEST(got(i) == sum_of(i / s.team));
}

BOOST_AUTO_TEST_CASE(team_reduce_counts_each_thread_once) {
  in_every_shape([](Shape const& s) {
    every_lane_gets<int>(
        s,
        KOKKOS_LAMBDA(Member const& team) {
          int value = team.team_rank() + 1 + team.league_rank();
          team.team_reduce(Kokkos::Sum<int, Space>(value));
          int most = -team.team_rank(), copy = most;
          team.team_reduce(Kokkos::Max<int, Space>(most), copy);
          return most == 0 && copy == 0 ? value : -1;
        },
        [&](int league) { return s.team * (s.team + 1) / 2 + s.team * league; });
  });
}

BOOST_AUTO_TEST_CASE(vector_reduce_counts_each_lane_once) {
  in_every_shape([](Shape const& s) {
    every_lane_gets<int>(
        s,
        KOKKOS_LAMBDA(Member const& team) {
          int value = vector_lane() + 1;
          team.vector_reduce(Kokkos::Sum<int, Space>(value));
          return value;
        },
        [&](int) { return s.vector * (s.vector + 1) / 2; });
  });
}

BOOST_AUTO_TEST_CASE(sums_are_joined_in_the_order_of_cuda) {
  // 1 + tiny - 1 and the like: every order of additions gives another sum.
  Shape const s{1, 64, 1};
  Kokkos::View<float*, Space> sums("sums", s.lanes());
  auto const term = KOKKOS_LAMBDA(int i) {
    return (i % 2 ? -1.0f : 1.0f) * (1.0f + static_cast<float>(i) * 3e-7f * i);
  };
  Kokkos::parallel_for(
      "order", s.policy(), KOKKOS_LAMBDA(Member const& team) {
        float sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 64), [&](int i, float& update) { update += term(i); }, sum);
        sums(team.team_rank()) = sum;
      });
  float warp[2][32];
  for (int i = 0; i < 64; ++i) warp[i / 32][i % 32] = term(i);
  for (auto& values : warp)
    for (int shift = 1; shift < 32; shift *= 2)
      for (int i = 0; i < 32; i += 2 * shift) values[i] += values[i + shift];
  float const expected = warp[0][0] + warp[1][0];
  auto const got = on_host(sums);
  for (int i = 0; i < s.lanes(); ++i) BOOST_TEST(got(i) == expected);
}
