// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for over a RangePolicy: every iteration once, in blocks of 256 lanes numbered as on a GPU.
#include "SimtHost.hpp"

#include <cstdint>
#include <cstdio>
#include <initializer_list>

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Counts = Kokkos::View<int*, Space>;

struct Twice {};
struct Thrice {};

struct Tagged {
  Counts counts;
  KOKKOS_FUNCTION void operator()(Twice, int i) const { counts(i) += 2; }
  KOKKOS_FUNCTION void operator()(Thrice, int i) const { counts(i) += 3; }
};

/// Stores where it lies when it runs.
struct Located {
  Kokkos::View<std::uint64_t*, Space> where;
  KOKKOS_FUNCTION void operator()(int i) const { where(i) = reinterpret_cast<std::uintptr_t>(this); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_iteration_runs_once) {
  for (int const n : {0, 1, 2, 255, 256, 257, 1000, 70000}) {
    Counts counts("counts", n + 1);
    Kokkos::parallel_for(
        "count", Kokkos::RangePolicy<Space>(0, n), KOKKOS_LAMBDA(int i) { counts(i) += 1; });
    BOOST_TEST_CONTEXT("n = " << n) {
      BOOST_TEST(
          differences(counts, [n](std::size_t i) { return i < static_cast<std::size_t>(n) ? 1 : 0; }) == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(range_need_not_start_at_zero) {
  Counts counts("counts", 20);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, int>(-5, 10), KOKKOS_LAMBDA(int i) { counts(i + 5) += i; });
  BOOST_TEST(differences(counts, [](std::size_t i) { return i < 15 ? static_cast<int>(i) - 5 : 0; }) == 0);
}

BOOST_AUTO_TEST_CASE(indices_may_pass_32_bits) {
  std::int64_t const begin = std::int64_t{1} << 40;
  Counts counts("counts", 300);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(begin, begin + 300),
      KOKKOS_LAMBDA(std::int64_t i) { counts(static_cast<int>(i - begin)) += 1; });
  BOOST_TEST(differences(counts, [](std::size_t) { return 1; }) == 0);
}

BOOST_AUTO_TEST_CASE(blocks_have_256_lanes_of_one_iteration_each) {
  int const n = 1000;
  Counts block_of("block", n), lane_of("lane", n), lanes("lanes", n), all("blocks", n);
  Kokkos::parallel_for(
      n, KOKKOS_LAMBDA(int i) {
        block_of(i) = block();
        lane_of(i) = lane();
        lanes(i) = block_lanes();
        all(i) = blocks();
      });
  BOOST_TEST(differences(block_of, [](std::size_t i) { return static_cast<int>(i / 256); }) == 0);
  BOOST_TEST(differences(lane_of, [](std::size_t i) { return static_cast<int>(i % 256); }) == 0);
  BOOST_TEST(differences(lanes, [](std::size_t) { return 256; }) == 0);
  BOOST_TEST(differences(all, [](std::size_t) { return 4; }) == 0);
}

BOOST_AUTO_TEST_CASE(launch_bounds_shrink_the_block) {
  Counts lanes("lanes", 100);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Kokkos::LaunchBounds<64, 1>>(0, 100),
      KOKKOS_LAMBDA(int i) { lanes(i) = block_lanes(); });
  BOOST_TEST(differences(lanes, [](std::size_t) { return 64; }) == 0);
}

#if __has_include(<traits/Kokkos_StaticBatchSizeTrait.hpp>)
BOOST_AUTO_TEST_CASE(a_batch_is_a_grid_apart) {
  int const n = 1100;  // 2 blocks of 256 lanes of up to 4 iterations
  Counts lane_of("lane", n);
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Space, Kokkos::Experimental::StaticBatchSize<4>>(0, n),
      KOKKOS_LAMBDA(int i) { lane_of(i) = block() * 256 + lane(); });
  BOOST_TEST(differences(lane_of, [](std::size_t i) { return static_cast<int>(i % 512); }) == 0);
}
#else
BOOST_AUTO_TEST_CASE(without_batches) { std::puts("batches left out: this Kokkos has no StaticBatchSize"); }
#endif

BOOST_AUTO_TEST_CASE(work_tags_pick_the_operator) {
  Counts counts("counts", 10);
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Twice>(0, 10), Tagged{counts});
  Kokkos::parallel_for(Kokkos::RangePolicy<Space, Thrice>(5, 10), Tagged{counts});
  BOOST_TEST(differences(counts, [](std::size_t i) { return i < 5 ? 2 : 5; }) == 0);
}

BOOST_AUTO_TEST_CASE(lanes_see_a_copy_of_the_functor) {
  Located const functor{Kokkos::View<std::uint64_t*, Space>("where", 300)};
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(0, 300), functor);
  auto const where = on_host(functor.where);
  BOOST_TEST(where(0) != reinterpret_cast<std::uintptr_t>(&functor));
  BOOST_TEST(differences(functor.where, [&](std::size_t i) { return where(i / 256 * 256); }) == 0);  // one for each block
}

BOOST_AUTO_TEST_CASE(branches_for_the_device_are_taken_on_lanes_only) {
  Counts taken("taken", 2);
  Kokkos::parallel_for(
      1, KOKKOS_LAMBDA(int) {
        KOKKOS_IF_ON_HOST((taken(0) = 1;))
        KOKKOS_IF_ON_DEVICE((taken(1) = 1;))
      });
  BOOST_TEST(differences(taken, [](std::size_t i) { return i == 1 ? 1 : 0; }) == 0);
  int on_host_side = 0;
  KOKKOS_IF_ON_HOST((on_host_side += 1;))
  KOKKOS_IF_ON_DEVICE((on_host_side += 2;))
  BOOST_TEST(on_host_side == 1);
}
