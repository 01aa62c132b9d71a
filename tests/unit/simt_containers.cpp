// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kokkos keeps per backend beside the patterns: tokens, random pools, scatter views, maps, sorting, dual
// views, graphs.
#include "SimtHost.hpp"

#include <Kokkos_Bitset.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_Graph.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_UnorderedMap.hpp>

#include <algorithm>
#include <vector>

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Ints = Kokkos::View<int*, Space>;

template <class Token>
void check_token(Token const& token, int size) {
  int const n = 3000;
  BOOST_TEST(token.size() == size);
  Ints holders("holders", size), errors("errors", 1);
  Kokkos::parallel_for(
      "tokens", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int) {
        int const mine = token.acquire();
        if (mine < 0 || mine >= size || Kokkos::atomic_fetch_add(&holders(mine), 1) != 0)
          Kokkos::atomic_inc(&errors(0));
        Kokkos::atomic_dec(&holders(mine));
        token.release(mine);
      });
  BOOST_TEST(on_host(errors)(0) == 0);
  BOOST_TEST(differences(holders, [](std::size_t) { return 0; }) == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(unique_tokens) {
  using Kokkos::Experimental::UniqueToken;
  using Kokkos::Experimental::UniqueTokenScope;
  check_token(UniqueToken<Space>(), Space::concurrency());
  check_token(UniqueToken<Space>(40), 40);
  check_token(UniqueToken<Space, UniqueTokenScope::Global>(), Space::concurrency());
}

BOOST_AUTO_TEST_CASE(random_pools_give_numbers_in_range) {
  Kokkos::Random_XorShift64_Pool<Space> const pool(12345);
  Kokkos::View<double*, Space> values("values", 2000);
  Kokkos::fill_random(values, pool, 1.0, 2.0);
  double sum = 0;
  int outside = 0;
  auto const numbers = on_host(values);
  for (int i = 0; i < 2000; ++i) {
    sum += numbers(i);
    outside += numbers(i) < 1.0 || numbers(i) >= 2.0;
  }
  BOOST_TEST(outside == 0);
  BOOST_TEST(sum / 2000 == 1.5, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(scatter_view_adds_with_atomics) {
  Ints bins("bins", 7);
  Kokkos::Experimental::ScatterView<int*, Kokkos::LayoutLeft, Space> const scatter(bins);
  Kokkos::parallel_for(
      7000, KOKKOS_LAMBDA(int i) { scatter.access()(i % 7) += 1; });
  Kokkos::Experimental::contribute(bins, scatter);
  BOOST_TEST(differences(bins, [](std::size_t) { return 1000; }) == 0);
}

BOOST_AUTO_TEST_CASE(unordered_map_works_on_lanes) {
  Kokkos::UnorderedMap<int, int, Space> const map(2000);
  Kokkos::parallel_for(
      1000, KOKKOS_LAMBDA(int i) { map.insert(i, 5 * i); });
  BOOST_TEST(map.size() == 1000u);
  int right = 0;
  Kokkos::parallel_reduce(
      2000,
      KOKKOS_LAMBDA(int i, int& n) {
        auto const at = map.find(i);
        n += map.valid_at(at) ? i < 1000 && map.value_at(at) == 5 * i : i >= 1000;
      },
      right);
  BOOST_TEST(right == 2000);
}

BOOST_AUTO_TEST_CASE(sorting) {
  int const n = 2000;
  Ints values("values", n);
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { values(i) = i * 7919 % 10007; });
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = i * 7919 % 10007;
  std::sort(expected.begin(), expected.end());
  Kokkos::sort(Space(), values);
  BOOST_TEST(differences(values, [&](std::size_t i) { return expected[i]; }) == 0);
}

BOOST_AUTO_TEST_CASE(dual_view_syncs_both_ways) {
  Kokkos::DualView<int*> dual("dual", 100);
  for (int i = 0; i < 100; ++i) dual.view_host()(i) = i;
  dual.modify_host();
  dual.sync_device();
  auto const device = dual.view_device();
  Kokkos::parallel_for(
      100, KOKKOS_LAMBDA(int i) { device(i) += 1; });
  dual.modify_device();
  dual.sync_host();
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong += dual.view_host()(i) != i + 1;
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(graphs_run_their_nodes_in_order) {
  Ints values("values", 100), mirrored("mirrored", 100);
  auto graph = Kokkos::Experimental::create_graph([&](auto const& root) {
    auto const filled = root.then_parallel_for(
        100, KOKKOS_LAMBDA(int i) { values(i) += i; });
    filled.then_parallel_for(
        100, KOKKOS_LAMBDA(int i) { mirrored(i) = values(99 - i); });
  });
  graph.instantiate();
  for (int times = 1; times <= 2; ++times) {
    graph.submit();
    Kokkos::fence();
    BOOST_TEST(differences(mirrored, [=](std::size_t i) { return times * static_cast<int>(99 - i); }) == 0);
  }
}

BOOST_AUTO_TEST_CASE(work_graph_respects_its_edges) {
  // A chain: i before i + 1. Each piece notes the order in which it ran.
  int const n = 200;
  using Policy = Kokkos::WorkGraphPolicy<Space, std::int32_t>;
  using Graph = Policy::graph_type;
  Graph graph;
  graph.row_map = decltype(graph.row_map)("row_map", n + 1);
  graph.entries = decltype(graph.entries)("entries", n - 1);
  auto const rows = graph.row_map;
  auto const entries = graph.entries;
  Kokkos::parallel_for(
      n + 1, KOKKOS_LAMBDA(int i) { rows(i) = i < n ? i : n - 1; });
  Kokkos::parallel_for(
      n - 1, KOKKOS_LAMBDA(int i) { entries(i) = i + 1; });
  Ints order("order", n), next("next", 1);
  Kokkos::parallel_for(
      "chain", Policy(graph), KOKKOS_LAMBDA(int i) { order(i) = Kokkos::atomic_fetch_add(&next(0), 1); });
  Kokkos::fence();
  BOOST_TEST(differences(order, [](std::size_t i) { return static_cast<int>(i); }) == 0);
}
