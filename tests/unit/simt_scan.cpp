// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_scan over a RangePolicy: inclusive and exclusive, with and without a total, one block and many.
#include "SimtHost.hpp"

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Values = Kokkos::View<long*, Space>;
constexpr int sizes[] = {0, 1, 2, 127, 128, 129, 1000, 40000};

KOKKOS_FUNCTION long item(long i) { return i % 17 - 3; }

long sum_below(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += item(i);
  return sum;
}

/// Mismatches against a running sum that is taken before (exclusive) or after (inclusive) item i.
int mismatches(Values const& values, int n, bool inclusive) {
  auto const scanned = on_host(values);
  int count = 0;
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    if (inclusive) sum += item(i);
    count += scanned(i) != sum;
    if (!inclusive) sum += item(i);
  }
  return count;
}

struct Doubled {};
struct SumDoubled {
  Values values;
  KOKKOS_FUNCTION void operator()(Doubled, int i, long& update, bool final) const {
    update += 2 * i;
    if (final) values(i) = update;
  }
};

/// Its own join: the position of the last multiple of 13, or -1.
struct LastMultiple {
  using value_type = int;
  Kokkos::View<int*, Space> last;
  KOKKOS_FUNCTION void init(int& value) const { value = -1; }
  KOKKOS_FUNCTION void join(int& a, int const& b) const {
    if (b > a) a = b;
  }
  KOKKOS_FUNCTION void operator()(int i, int& update, bool final) const {
    if (final) last(i) = update;
    if (i % 13 == 0) update = i;
  }
};

/// What is there already is kept: a join that is not commutative, which shows in what order it is called.
struct Kept {
  using value_type = int;
  Kokkos::View<int*, Space> out;
  KOKKOS_FUNCTION void init(int& value) const { value = -1; }
  KOKKOS_FUNCTION void join(int& a, int const& b) const {
    if (a == -1) a = b;
  }
  KOKKOS_FUNCTION void operator()(int i, int& update, bool final) const {
    if (final) out(i) = update;
    update = i;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(inclusive_scan) {
  for (int const n : sizes) {
    Values values("values", n + 1);
    Kokkos::parallel_scan(
        "scan", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i, long& update, bool final) {
          update += item(i);
          if (final) values(i) = update;
        });
    BOOST_TEST(mismatches(values, n, true) == 0, "n = " << n);
  }
}

BOOST_AUTO_TEST_CASE(exclusive_scan_with_total) {
  for (int const n : sizes) {
    Values values("values", n + 1);
    long total = -1;
    Kokkos::parallel_scan(
        "scan", Kokkos::RangePolicy<Space>(0, n),
        KOKKOS_LAMBDA(int i, long& update, bool final) {
          long const mine = item(i);
          if (final) values(i) = update;
          update += mine;
        },
        total);
    BOOST_TEST(mismatches(values, n, false) == 0, "n = " << n);
    BOOST_TEST(total == sum_below(n), "n = " << n);
  }
}

BOOST_AUTO_TEST_CASE(total_in_device_memory) {
  Kokkos::View<long, Space> total("total");
  Kokkos::parallel_scan(
      Kokkos::RangePolicy<Space>(0, 5000), KOKKOS_LAMBDA(int i, long& update, bool) { update += item(i); },
      total);
  BOOST_TEST(on_host(total)() == sum_below(5000));
}

BOOST_AUTO_TEST_CASE(functor_with_init_and_join) {
  int const n = 3000;
  LastMultiple const functor{Kokkos::View<int*, Space>("last", n)};
  Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(0, n), functor);
  BOOST_TEST(differences(functor.last, [](std::size_t i) {
               return i == 0 ? -1 : static_cast<int>((i - 1) / 13 * 13);
             }) == 0);
}

BOOST_AUTO_TEST_CASE(joins_what_comes_before_to_what_comes_later_as_cuda_does) {
  int const n = 100;  // one block: over blocks CUDA joins the other way round
  Kept const functor{Kokkos::View<int*, Space>("kept", n)};
  Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(0, n), functor);
  BOOST_TEST(differences(functor.out, [](std::size_t i) { return static_cast<int>(i) - 1; }) == 0);
}

BOOST_AUTO_TEST_CASE(work_tag) {
  int const n = 500;
  SumDoubled const functor{Values("values", n)};
  Kokkos::parallel_scan(Kokkos::RangePolicy<Space, Doubled>(0, n), functor);
  BOOST_TEST(differences(functor.values, [](std::size_t i) { return static_cast<long>(i * (i + 1)); }) == 0);
}

BOOST_AUTO_TEST_CASE(in_place) {
  int const n = 1000;
  Values values("values", n);
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) { values(i) = item(i); });
  Kokkos::parallel_scan(
      n, KOKKOS_LAMBDA(int i, long& update, bool final) {
        update += values(i);
        if (final) values(i) = update;
      });
  BOOST_TEST(mismatches(values, n, true) == 0);
}
