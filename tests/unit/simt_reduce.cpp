// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_reduce over a RangePolicy: reducers, results in every space, functors with init, join and final,
// arrays, and the fixed order in which values are joined.
#include "SimtHost.hpp"

#include <vector>

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Range = Kokkos::RangePolicy<Space>;

/// A reducer of the user's own: product and count.
struct ProductCount {
  double product;
  int count;
};

struct ProductCountReducer {
  using reducer = ProductCountReducer;
  using value_type = ProductCount;
  using result_view_type = Kokkos::View<value_type, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  value_type& result;
  KOKKOS_FUNCTION void init(value_type& v) const { v = {1.0, 0}; }
  KOKKOS_FUNCTION void join(value_type& a, value_type const& b) const {
    a.product *= b.product;
    a.count += b.count;
  }
  KOKKOS_FUNCTION value_type& reference() const { return result; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(&result); }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
};

/// A functor that says itself how it is reduced; final() shows that it ran, once.
struct Largest {
  using value_type = int;
  KOKKOS_FUNCTION void operator()(int i, int& update) const {
    int const value = i * 7919 % 10007;
    if (value > update) update = value;
  }
  KOKKOS_FUNCTION void init(int& value) const { value = -1; }
  KOKKOS_FUNCTION void join(int& a, int const& b) const {
    if (b > a) a = b;
  }
  KOKKOS_FUNCTION void final(int& value) const { value += 100000; }
};

/// Counts residues into an array whose length is known at run time only.
struct Histogram {
  using value_type = long[];
  unsigned value_count;
  KOKKOS_FUNCTION void operator()(int i, long* update) const { update[i % value_count] += i; }
  KOKKOS_FUNCTION void init(long* value) const {
    for (unsigned i = 0; i < value_count; ++i) value[i] = 0;
  }
  KOKKOS_FUNCTION void join(long* a, long const* b) const {
    for (unsigned i = 0; i < value_count; ++i) a[i] += b[i];
  }
};

/// The sum as a binary tree over positions, as lanes and blocks are joined.
double tree_sum(std::vector<double> values) {
  for (std::size_t distance = 1; distance < values.size(); distance *= 2)
    for (std::size_t i = 0; i + distance < values.size(); i += 2 * distance)
      values[i] += values[i + distance];
  return values.empty() ? 0 : values[0];
}

struct Odd {};
struct SumOdd {
  KOKKOS_FUNCTION void operator()(Odd, int i, int& sum) const { sum += i % 2; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(sums_of_all_sizes) {
  for (long const n : {0, 1, 2, 255, 256, 257, 5000, 300000}) {
    long sum = -1;
    Kokkos::parallel_reduce(
        "sum", Kokkos::RangePolicy<Space, long>(0, n), KOKKOS_LAMBDA(long i, long& s) { s += i; }, sum);
    BOOST_TEST(sum == n * (n - 1) / 2, "n = " << n);
  }
}

BOOST_AUTO_TEST_CASE(results_in_every_space) {
  auto const add = KOKKOS_LAMBDA(int i, int& s) { s += i; };
  Kokkos::View<int, teamsan::SimtSpace> device("device");
  Kokkos::View<int, teamsan::SimtSharedSpace> shared("shared");
  Kokkos::View<int, teamsan::SimtHostPinnedSpace> pinned("pinned");
  Kokkos::View<int, Kokkos::HostSpace> host("host");
  Kokkos::parallel_reduce(Range(0, 1000), add, device);
  Kokkos::parallel_reduce(Range(0, 1000), add, shared);
  Kokkos::parallel_reduce(Range(0, 1000), add, pinned);
  Kokkos::parallel_reduce(Range(0, 1000), add, host);
  Kokkos::fence();
  BOOST_TEST(on_host(device)() == 499500);
  BOOST_TEST(shared() == 499500);
  BOOST_TEST(pinned() == 499500);
  BOOST_TEST(host() == 499500);
}

BOOST_AUTO_TEST_CASE(built_in_reducers) {
  int const n = 3000;
  auto const value = KOKKOS_LAMBDA(int i) { return i * 7919 % 10007 - 5000; };
  int least = 0, most = 0, where = -1;
  for (int i = 0; i < n; ++i) {
    if (value(i) < least) least = value(i), where = i;
    if (value(i) > most) most = value(i);
  }
  int max = 0, all = 0, bits = 0;
  Kokkos::ValLocScalar<int, int> min;
  double product = 0;
  Kokkos::parallel_reduce(
      Range(0, n),
      KOKKOS_LAMBDA(int i, int& m) {
        if (value(i) > m) m = value(i);
      },
      Kokkos::Max<int>(max));
  Kokkos::parallel_reduce(
      Range(0, n),
      KOKKOS_LAMBDA(int i, Kokkos::ValLocScalar<int, int>& m) {
        if (value(i) < m.val) m.val = value(i), m.loc = i;
      },
      Kokkos::MinLoc<int, int>(min));
  Kokkos::parallel_reduce(
      Range(0, n), KOKKOS_LAMBDA(int i, int& a) { a = a && i != n; }, Kokkos::LAnd<int>(all));
  Kokkos::parallel_reduce(
      Range(0, 12), KOKKOS_LAMBDA(int i, int& b) { b |= 1 << i; }, Kokkos::BOr<int>(bits));
  Kokkos::parallel_reduce(
      Range(1, 11), KOKKOS_LAMBDA(int i, double& p) { p *= i; }, Kokkos::Prod<double>(product));
  BOOST_TEST(max == most);
  BOOST_TEST(min.val == least);
  BOOST_TEST(min.loc == where);
  BOOST_TEST(all != 0);
  BOOST_TEST(bits == 4095);
  BOOST_TEST(product == 3628800.0);
}

BOOST_AUTO_TEST_CASE(several_results_at_once) {
  int sum = 0, max = 0;
  Kokkos::parallel_reduce(
      Range(0, 500),
      KOKKOS_LAMBDA(int i, int& s, int& m) {
        s += i;
        if (i > m) m = i;
      },
      sum, Kokkos::Max<int>(max));
  BOOST_TEST(sum == 124750);
  BOOST_TEST(max == 499);
}

BOOST_AUTO_TEST_CASE(custom_reducer) {
  ProductCount result{};
  Kokkos::parallel_reduce(
      Range(0, 600),
      KOKKOS_LAMBDA(int i, ProductCount& v) {
        v.product *= i % 2 ? 2.0 : 0.5;
        v.count += 1;
      },
      ProductCountReducer{result});
  BOOST_TEST(result.product == 1.0);
  BOOST_TEST(result.count == 600);
}

BOOST_AUTO_TEST_CASE(functor_with_init_join_and_final) {
  int expected = -1;
  for (int i = 0; i < 2000; ++i) expected = std::max(expected, i * 7919 % 10007);
  int result = 0;
  Kokkos::parallel_reduce(Range(0, 2000), Largest{}, result);
  BOOST_TEST(result == expected + 100000);
  Kokkos::parallel_reduce(Range(0, 0), Largest{}, result);
  BOOST_TEST(result == 99999);
}

BOOST_AUTO_TEST_CASE(arrays_of_run_time_length) {
  for (unsigned const length : {1u, 3u, 100u}) {
    std::vector<long> expected(length, 0), result(length, -1);
    for (int i = 0; i < 5000; ++i) expected[i % length] += i;
    Kokkos::View<long*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(result.data(), length);
    Kokkos::parallel_reduce(Range(0, 5000), Histogram{length}, view);
    Kokkos::fence();
    BOOST_TEST(result == expected, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(work_tag) {
  int sum = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Space, Odd>(0, 1001), SumOdd{}, sum);
  BOOST_TEST(sum == 500);
}

BOOST_AUTO_TEST_CASE(values_are_joined_in_a_fixed_tree) {
  int const n = 20000;
  double sum = 0;
  Kokkos::parallel_reduce(
      Range(0, n), KOKKOS_LAMBDA(int i, double& s) { s += 1.0 / (i + 1); }, sum);
  // Fewer iterations than the device has lanes: ceil(n / 256) blocks share the range evenly, one value a
  // lane.
  int const blocks = (n + 255) / 256;
  int const share = (n + blocks - 1) / blocks;
  std::vector<double> of_blocks;
  for (int block = 0; block < blocks; ++block) {
    std::vector<double> lanes(256, 0.0);
    for (int i = block * share; i < std::min(n, (block + 1) * share); ++i)
      lanes[i - block * share] = 1.0 / (i + 1);
    of_blocks.push_back(tree_sum(lanes));
  }
  BOOST_TEST(sum == tree_sum(of_blocks));
}
