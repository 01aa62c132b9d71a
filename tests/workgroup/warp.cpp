// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp_store and warp_load: which lane's which item is which element, for every algorithm, full and guarded, for element
// types of several sizes, through pointers and other iterators, with warps of several lengths. Simt and OpenMP must agree
// with the table in warp_algorithm.hpp.
// OPTIONS: device=h100
#include "Teams.hpp"

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/warp_load.hpp>
#include <teamsan/model/workgroup/warp_store.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

using namespace workgroup_tests;
using teamsan::vectorize_fallback;
using teamsan::vectorize_fallback_of;
using teamsan::warp_algorithm;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

template <class T>
struct Value {
  KOKKOS_INLINE_FUNCTION static T of(int i) { return static_cast<T>(i % 113 + 1); }
};
template <>
struct Value<teamsan::vec4f> {
  KOKKOS_INLINE_FUNCTION static teamsan::vec4f of(int i) { return {1.f * i, 2.f * i, 3.f * i, 4.f * i}; }
};

/// Elements at every second place: no plain pointer.
template <class T>
struct EverySecond {
  T* first;
  KOKKOS_INLINE_FUNCTION T& operator[](int i) const { return first[2 * i]; }
};

template <warp_algorithm A, int ITEMS, int LANES>
KOKKOS_INLINE_FUNCTION int position(int lane, int k) {
  return A == warp_algorithm::striped ? k * LANES + lane : lane * ITEMS + k;
}

/// Loads a team's tiles with A, looks at what every lane holds, and stores them again; `missing` elements of the last tile
/// are not there. The number of items and elements that are wrong.
template <warp_algorithm A, class T, int ITEMS, int LANES, bool SECOND = false>
int wrong(int missing) {
  constexpr int tile = ITEMS * LANES, stride = SECOND ? 2 : 1;
  int const league = 2, team = threads(3), tiles = league * team, n = tiles * tile - missing;
  using Exchange = teamsan::warp_exchange<T, ITEMS, Member, LANES>;
  Kokkos::View<T*, Space> in("in", n * stride), out("out", (n + tile) * stride);
  Kokkos::View<int, Space> misplaced("misplaced");
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { in(i * stride) = Value<T>::of(i); });
  Policy policy(league, team, lanes(LANES));
  policy.set_scratch_size(0, Kokkos::PerThread(Exchange::scratch_bytes));
  Kokkos::parallel_for(
      "load and store", policy, KOKKOS_LAMBDA(Member const& member) {
        int const first = (member.league_rank() * member.team_size() + member.team_rank()) * tile;
        int const valid = n - first < tile ? n - first : tile;
        auto const iterator = [&](T* data) {
          if constexpr (SECOND)
            return EverySecond<T>{data + first * stride};
          else
            return data + first;
        };
        auto const from = iterator(in.data()), to = iterator(out.data());
        teamsan::warp_items<T, ITEMS, Member, LANES> items;
        Exchange const exchange(member);
        // The full forms where tiles are full.
        if (valid == tile) {
          if constexpr (A == warp_algorithm::transpose)
            teamsan::warp_load<ITEMS, A>(member, from, items, exchange);
          else
            teamsan::warp_load<ITEMS, A>(member, from, items);
        } else {
          if constexpr (A == warp_algorithm::transpose)
            teamsan::warp_load_or<ITEMS, A>(member, from, items, valid, Value<T>::of(77), exchange);
          else
            teamsan::warp_load_or<ITEMS, A>(member, from, items, valid, Value<T>::of(77));
        }
        teamsan::for_each_lane<LANES>(member, [&](int lane) {
          for (int k = 0; k < ITEMS; ++k) {
            int const p = position<A, ITEMS, LANES>(lane, k);
            if (!(items(lane, k) == Value<T>::of(p < valid ? first + p : 77))) Kokkos::atomic_inc(&misplaced());
          }
        });
        if (valid == tile) {
          if constexpr (A == warp_algorithm::transpose)
            teamsan::warp_store<ITEMS, A>(member, to, items, exchange);
          else
            teamsan::warp_store<ITEMS, A>(member, to, items);
        } else {
          if constexpr (A == warp_algorithm::transpose)
            teamsan::warp_store<ITEMS, A>(member, to, items, valid, exchange);
          else
            teamsan::warp_store<ITEMS, A>(member, to, items, valid);
        }
      });
  auto const result = on_host(out);
  int count = on_host(misplaced)();
  for (int i = 0; i < (n + tile) * stride; ++i)
    count += !(result(i) == (i % stride == 0 && i / stride < n ? Value<T>::of(i / stride) : T{}));
  return count;
}

template <class T, int ITEMS, int LANES = 32, bool SECOND = false>
void check_all(char const* what) {
  BOOST_TEST_CONTEXT(what << ", " << ITEMS << " items, " << LANES << " lanes") {
    for (int const missing : {0, 1, ITEMS * LANES / 2, ITEMS * LANES}) {
      BOOST_TEST((wrong<warp_algorithm::direct, T, ITEMS, LANES, SECOND>(missing)) == 0);
      BOOST_TEST((wrong<warp_algorithm::striped, T, ITEMS, LANES, SECOND>(missing)) == 0);
      BOOST_TEST((wrong<warp_algorithm::vectorize, T, ITEMS, LANES, SECOND>(missing)) == 0);
      BOOST_TEST((wrong<warp_algorithm::transpose, T, ITEMS, LANES, SECOND>(missing)) == 0);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(floats) {
  check_all<float, 1>("float");
  check_all<float, 3>("float");
  check_all<float, 4>("float");
  check_all<float, 6>("float");
}
BOOST_AUTO_TEST_CASE(other_types) {
  check_all<double, 2>("double");
  check_all<signed char, 16>("char");
  check_all<teamsan::vec4f, 2>("vec4f");
}
BOOST_AUTO_TEST_CASE(short_warps) { check_all<float, 4, 8>("float"); }

// Items become the elements' type, as through any iterator; so through pointers to it, with every algorithm.
template <warp_algorithm A, class Element>
int wrong_conversions() {
  constexpr int items_each = 4, lanes_each = 8, tile = items_each * lanes_each;
  using Exchange = teamsan::warp_exchange<float, items_each, Member, lanes_each>;
  Kokkos::View<Element*, Space> in("in", tile), out("out", tile);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(0, tile), KOKKOS_LAMBDA(int i) { in(i) = static_cast<Element>(i + 1); });
  Policy policy(1, 1, lanes(lanes_each));
  policy.set_scratch_size(0, Kokkos::PerThread(Exchange::scratch_bytes));
  Kokkos::parallel_for(
      "convert", policy, KOKKOS_LAMBDA(Member const& member) {
        teamsan::warp_items<float, items_each, Member, lanes_each> items;
        Element const volatile* const from = in.data();
        if constexpr (A == warp_algorithm::transpose) {
          Exchange const exchange(member);
          teamsan::warp_load<items_each, A>(member, from, items, exchange);
          teamsan::warp_store<items_each, A>(member, out.data(), items, exchange);
        } else {
          teamsan::warp_load<items_each, A>(member, from, items);
          teamsan::warp_store<items_each, A>(member, out.data(), items);
        }
      });
  auto const result = on_host(out);
  int count = 0;
  for (int i = 0; i < tile; ++i) count += result(i) != static_cast<Element>(i + 1);
  return count;
}
BOOST_AUTO_TEST_CASE(items_of_another_type) {
  BOOST_TEST((wrong_conversions<warp_algorithm::direct, double>()) == 0);
  BOOST_TEST((wrong_conversions<warp_algorithm::striped, double>()) == 0);
  BOOST_TEST((wrong_conversions<warp_algorithm::vectorize, double>()) == 0);
  BOOST_TEST((wrong_conversions<warp_algorithm::transpose, double>()) == 0);
  BOOST_TEST((wrong_conversions<warp_algorithm::vectorize, float>()) == 0);  // volatile
}
BOOST_AUTO_TEST_CASE(iterators) { check_all<float, 4, 32, true>("every second float"); }

// What an exchange takes leaves the scratch behind it as aligned as it was.
BOOST_AUTO_TEST_CASE(workgroup_variables_fit_behind_an_exchange) {
  using Exchange = teamsan::warp_exchange<float, 4, Member, 8>;
  using Layout = teamsan::workgroup_layout<teamsan::vec4f[4], teamsan::atomic<int>>;
  for (int const team : {1, 2, 3}) {
    Kokkos::View<int, Space> sum("sum");
    Policy policy(1, threads(team), lanes(8));
    policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes), Kokkos::PerThread(Exchange::scratch_bytes));
    Kokkos::parallel_for(
        "both", policy, KOKKOS_LAMBDA(Member const& member) {
          Exchange const exchange(member);
          auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);
          Kokkos::single(Kokkos::PerThread(member), [&] {
            exchange[31] = 1;
            variables.get<1>().add(static_cast<int>(exchange[31]));
          });
          teamsan::workgroup_barrier(member);
          Kokkos::single(Kokkos::PerTeam(member), [&] {
            sum() = variables.get<1>().load() + static_cast<int>(variables.get<0>()[3].w);
          });
        });
    BOOST_TEST(on_host(sum)() == threads(team));
  }
}

// CUB's four conditions, and what the widest vector is.
struct Pair {
  float a, b;
};
static_assert(vectorize_fallback_of<4, float*>() == vectorize_fallback::none);
static_assert(vectorize_fallback_of<3, float*>() == vectorize_fallback::odd_items);
static_assert(vectorize_fallback_of<4, EverySecond<float>>() == vectorize_fallback::not_a_pointer);
static_assert(vectorize_fallback_of<4, float volatile*>() == vectorize_fallback::not_a_pointer);
static_assert(vectorize_fallback_of<4, double*, float>() == vectorize_fallback::not_a_pointer);
static_assert(vectorize_fallback_of<4, Pair*>() == vectorize_fallback::not_a_vector_type);
static_assert(vectorize_fallback_of<4, teamsan::vec4f*>() == vectorize_fallback::none);
static_assert(vectorize_fallback_of<2, double const*>() == vectorize_fallback::none);
static_assert(teamsan::vector_items<float, 2> == 2 && teamsan::vector_items<float, 4> == 4 &&
              teamsan::vector_items<float, 6> == 2 && teamsan::vector_items<float, 8> == 4 &&
              teamsan::vector_items<double, 4> == 2 && teamsan::vector_items<signed char, 16> == 16 &&
              teamsan::vector_items<teamsan::vec4f, 4> == 1);

BOOST_AUTO_TEST_CASE(alignment_is_seen_when_running) {
  alignas(16) float values[8] = {};
  BOOST_TEST((vectorize_fallback_of<4>(values) == vectorize_fallback::none));
  BOOST_TEST((vectorize_fallback_of<4>(values + 4) == vectorize_fallback::none));
  BOOST_TEST((vectorize_fallback_of<4>(values + 2) == vectorize_fallback::not_aligned));
  BOOST_TEST((vectorize_fallback_of<3>(values + 2) == vectorize_fallback::odd_items));
  BOOST_TEST(teamsan::to_string(vectorize_fallback::odd_items) == std::string("ITEMS is odd"));
  BOOST_TEST(teamsan::to_string(vectorize_fallback::none) == static_cast<char const*>(nullptr));
}
