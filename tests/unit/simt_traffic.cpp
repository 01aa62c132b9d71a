// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine model's totals of whole kernels: those that an H100's counters gave for the same kernels (the chip's
// store counters also hold a few percent of arbitration, which the model leaves out), and what it makes of lanes that
// take different ways.
// OPTIONS: check=all,perf:device=h100
#include "SimtTraffic.hpp"

#include <string>
#include <type_traits>

using namespace simt_team;
using teamsan::Contention, teamsan::IdleCause, teamsan::TrafficCounts;

namespace {

BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

template <class T>
using Device2 = Kokkos::View<T**, Kokkos::LayoutRight, Space>;

void transpose(std::string const& label, int n, auto pitch) {
  constexpr int width = 32, rows = 8;
  using Tile = Kokkos::View<float[width][decltype(pitch)::value], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;
  Device2<float> in("in", n, n), out("out", n, n);
  int const blocks = n / width;
  Policy policy(blocks * blocks, rows, width);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0));
        int const row = team.league_rank() / blocks * width, column = team.league_rank() % blocks * width;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int y) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                               [&](int x) { tile(y, x) = in(row + y, column + x); });
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int y) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                               [&](int x) { out(column + y, row + x) = tile(x, y); });
        });
      });
}

}  // namespace

BOOST_AUTO_TEST_CASE(tiled_matmul_of_256_gives_the_chips_totals) {
  constexpr int width = 16, n = 256, blocks = n / width;
  using Tile = Kokkos::View<float[width][width], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;
  Device2<float> a("a", n, n), b("b", n, n), c("c", n, n);
  Policy policy(blocks * blocks, width * width);
  policy.set_scratch_size(0, Kokkos::PerTeam(2 * Tile::shmem_size()));
  Kokkos::parallel_for(
      "matmul", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile as(team.team_scratch(0)), bs(team.team_scratch(0));
        int const tx = team.team_rank() % width, ty = team.team_rank() / width;
        int const row = team.league_rank() / blocks * width + ty;
        int const column = team.league_rank() % blocks * width + tx;
        float sum = 0;
        for (int block = 0; block < blocks; ++block) {
          as(ty, tx) = a(row, block * width + tx);
          bs(ty, tx) = b(block * width + ty, column);
          team.team_barrier();
          for (int k = 0; k < width; ++k) sum += as(ty, k) * bs(k, tx);
          team.team_barrier();
        }
        c(row, column) = sum;
      });
  auto const t = traffic_of("matmul");
  BOOST_TEST(t.shared_loads.requests == 1'048'576);
  BOOST_TEST(t.shared_loads.wavefronts == 1'048'576);
  BOOST_TEST(t.shared_stores.requests == 65'536);
  BOOST_TEST(t.shared_stores.wavefronts == 65'536);
  BOOST_TEST(t.global_loads.requests == 65'536);
  BOOST_TEST(t.global_loads.sectors == 262'144);
  BOOST_TEST(t.global_stores.requests == 2'048);
  BOOST_TEST(t.global_stores.sectors == 8'192);
  BOOST_TEST(t.global_atomics.requests == 0);
}

BOOST_AUTO_TEST_CASE(transpose_of_256_gives_the_chips_totals) {
  transpose("pitch 32", 256, std::integral_constant<int, 32>{});
  auto const bad = traffic_of("pitch 32");
  BOOST_TEST(bad.shared_loads.requests == 2'048);
  BOOST_TEST(bad.shared_loads.wavefronts == 65'536);
  BOOST_TEST(bad.shared_loads.wavefronts - bad.shared_loads.ideal_wavefronts == 63'488);
  BOOST_TEST(bad.global_loads.sectors == 8'192);
  BOOST_TEST(bad.global_stores.sectors == 8'192);
  auto const& worst = bad.sites.front();
  BOOST_TEST(worst.site.worst.ways() == 32);
  BOOST_TEST(worst.source.find("tile(x, y)") != std::string::npos);
  BOOST_TEST(worst.fix == "pad the row from 32 to 33 elements: 1 wavefront instead of 32 in the worst warp");

  transpose("pitch 33", 256, std::integral_constant<int, 33>{});
  auto const good = traffic_of("pitch 33");
  BOOST_TEST(good.shared_loads.requests == 2'048);
  BOOST_TEST(good.shared_loads.wavefronts == 2'048);
}

BOOST_AUTO_TEST_CASE(lanes_that_take_different_ways_are_matched_by_instruction_and_occurrence) {
  Kokkos::View<int*, Space> x("x", 64), y("y", 64), z("z", 64);
  // Lane l makes l % 4 + 1 rounds; each fourth lane only goes through the branch.
  Kokkos::parallel_for(
      "ways", Policy(1, 32, 1), KOKKOS_LAMBDA(Member const& team) {
        int const l = team.team_rank();
        for (int round = 0; round <= l % 4; ++round) x(l) += 1;
        if (l % 4 == 3) y(l) = 1;
        z(l) = 2;
      });
  auto const t = traffic_of("ways");
  BOOST_TEST(t.global_loads.requests == 4);   // rounds of the longest lane
  BOOST_TEST(t.global_loads.lane_accesses == 8 * (1 + 2 + 3 + 4));
  BOOST_TEST(t.global_stores.requests == 4 + 1 + 1);
  BOOST_TEST(t.global_stores.sectors == 4 * 4 + 4 + 4);
}

BOOST_AUTO_TEST_CASE(long_windows_are_counted_whole) {
  // More than WarpLog::max_records accesses of a lane without any synchronisation, in a shape that is no whole warp.
  int const n = 10'000;
  Kokkos::View<float**, Kokkos::LayoutLeft, Space> a("a", 80, n);
  Kokkos::parallel_for(
      "long", Policy(1, 80, 1), KOKKOS_LAMBDA(Member const& team) {
        for (int j = 0; j < n; ++j) a(team.team_rank(), j) = 1;
      });
  auto const t = traffic_of("long");
  BOOST_TEST(t.global_stores.requests == 3 * n);
  BOOST_TEST(t.global_stores.lane_accesses == 80 * n);
  BOOST_TEST(t.global_stores.sectors == 10 * n);
}

BOOST_AUTO_TEST_CASE(long_windows_of_iterations_that_run_one_after_the_other_are_counted_whole) {
  int const n = 2400, stores = 10'000;
  Kokkos::View<float*, Space> a("a", n);
  Kokkos::parallel_for(
      "long iterations", Kokkos::RangePolicy<Space::execution_space>(0, n), KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < stores; ++j) a(i) = j;
      });
  auto const t = traffic_of("long iterations");
  BOOST_TEST(t.global_stores.requests == n / 32 * stores);
  BOOST_TEST(t.global_stores.lane_accesses == n * stores);
  BOOST_TEST(t.global_stores.sectors == n / 8 * stores);
}

BOOST_AUTO_TEST_CASE(level_1_scratch_is_device_memory) {
  using Part = Kokkos::View<float*, Scratch, Kokkos::MemoryUnmanaged>;
  Policy policy(1, 32, 1);
  policy.set_scratch_size(1, Kokkos::PerTeam(Part::shmem_size(32 * 32)));
  Kokkos::parallel_for(
      "level 1", policy, KOKKOS_LAMBDA(Member const& team) {
        Part part(team.team_scratch(1), 32 * 32);
        part(team.team_rank() * 32) = 1;
      });
  auto const t = traffic_of("level 1");
  BOOST_TEST(t.shared_stores.requests == 0);
  BOOST_TEST(t.global_stores.requests == 1);
  BOOST_TEST(t.global_stores.sectors == 32);
}

BOOST_AUTO_TEST_CASE(structs_are_copied_in_the_widest_accesses) {
  struct Three {
    double a, b, c;
  };
  Kokkos::View<Three*, Space> from("from", 32), to("to", 32);
  Kokkos::parallel_for(
      "copy", Policy(1, 32, 1), KOKKOS_LAMBDA(Member const& team) { to(team.team_rank()) = from(team.team_rank()); });
  auto const t = traffic_of("copy");
  BOOST_TEST(t.global_loads.requests == 3);
  BOOST_TEST(t.global_loads.sectors == 3 * 24);  // 24 sectors hold 32 structs; each of three loads touches all
}

BOOST_AUTO_TEST_CASE(an_atomic_addition_of_floating_point_numbers_is_one_access) {
  Kokkos::View<double*, Space> x("x", 32);
  Kokkos::parallel_for(
      "add", Policy(1, 32, 1), KOKKOS_LAMBDA(Member const& team) { Kokkos::atomic_add(&x(team.team_rank()), 1.0); });
  auto const t = traffic_of("add");
  BOOST_TEST(t.global_loads.requests == 0);
  BOOST_TEST(t.global_atomics.requests == 1);
  BOOST_TEST(t.global_atomics.sectors == 8);
}

BOOST_AUTO_TEST_CASE(idle_lanes_are_told_apart_by_cause) {
  Kokkos::View<int*, Space> x("x", 256), y("y", 256);
  auto const idle = [](std::string const& kernel, IdleCause cause) {
    return all_counts(traffic_of(kernel)).idle_of(cause);
  };
  // Each access of a warp has 32 places for lanes.
  Kokkos::parallel_for(
      "small team", Policy(1, 24, 1), KOKKOS_LAMBDA(Member const& team) { x(team.team_rank()) = 1; });
  BOOST_TEST(idle("small team", IdleCause::team) == 8);
  Kokkos::parallel_for(
      "single", Policy(1, 8, 4), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::single(Kokkos::PerThread(team), [&] { x(team.team_rank()) = 1; });
      });
  BOOST_TEST(idle("single", IdleCause::single) == 24);
  Kokkos::parallel_for(
      "short", Policy(1, 4, 8), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 5), [&](int i) { x(team.team_rank() * 5 + i) = 1; });
      });
  BOOST_TEST(idle("short", IdleCause::vector) == 4 * 3);
  Kokkos::parallel_for(
      "remainder", Policy(1, 4, 8), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 13), [&](int i) { x(team.team_rank() * 13 + i) = 1; });
      });
  BOOST_TEST(idle("remainder", IdleCause::range) == 4 * 3);
  BOOST_TEST(idle("remainder", IdleCause::vector) == 0);
  Kokkos::parallel_for(
      "threads", Policy(1, 8, 4), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 11), [&](int i) { x(i) = 1; });
      });
  BOOST_TEST(idle("threads", IdleCause::range) == 5 * 4);
  Kokkos::parallel_for("fill", Kokkos::RangePolicy<Space::execution_space>(0, 256), KOKKOS_LAMBDA(int i) { y(i) = i % 4; });
  Kokkos::parallel_for(
      "branch", Kokkos::RangePolicy<Space::execution_space>(0, 64), KOKKOS_LAMBDA(int i) {
        if (y(i) == 1) x(i) = 1;
      });
  BOOST_TEST(idle("branch", IdleCause::branch) == 2 * 24);
  BOOST_TEST(idle("branch", IdleCause::range) == 0);
  auto const t = traffic_of("branch");
  BOOST_TEST(t.global_stores.lane_accesses == 16);
  for (char const* kernel : {"small team", "single", "short", "remainder", "threads", "branch"}) {
    TrafficCounts const all = all_counts(traffic_of(kernel));
    std::uint64_t sum = all.lane_accesses;
    for (std::uint64_t const lanes : all.idle) sum += lanes;
    BOOST_TEST(sum == 32 * all.requests, kernel);
  }
}

BOOST_AUTO_TEST_CASE(atomics_name_the_addresses_that_most_lanes_want) {
  Kokkos::View<int*, Space> bins("bins", 8);
  Kokkos::parallel_for(
      "bins", Policy(4, 64, 1), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::atomic_inc(&bins(team.team_rank() % 2 == 0 ? 5 : team.league_rank()));
      });
  auto const t = traffic_of("bins");
  BOOST_REQUIRE(t.sites.size() == 1);
  Contention const& c = t.sites[0].site.contention;
  BOOST_TEST(c.wanted == 8 * 16);
  BOOST_TEST(c.worst == 16);
  BOOST_TEST(c.addresses == 5);
  BOOST_REQUIRE(c.hottest.size() == 5);
  BOOST_TEST(c.hottest[0].index == "(5)");
  BOOST_TEST(c.hottest[0].updates == 4 * 32);
  BOOST_TEST(c.hottest[0].teams == 4);
  BOOST_TEST(c.hottest[1].index == "(0)");
  BOOST_TEST(c.hottest[1].updates == 32);
  BOOST_TEST(c.hottest[1].teams == 1);
}

BOOST_AUTO_TEST_CASE(kokkos_own_part_of_team_reductions_stands_apart_from_the_bodys) {
  Kokkos::View<double*, Space> sums("sums", 32);
  Kokkos::parallel_for(
      "two reductions", Policy(32, 64, 1), KOKKOS_LAMBDA(Member const& team) {
        double a = team.team_rank(), b = 1;
        team.team_reduce(Kokkos::Sum<double>(a));
        team.team_reduce(Kokkos::Max<double>(b));
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = a + b; });
      });
  auto const t = traffic_of("two reductions");
  BOOST_TEST(t.own.scratch_loads.requests == 256);
  BOOST_TEST(t.own.scratch_stores.requests == 128);
  BOOST_TEST(t.shared_loads.requests == 0);
}

// What reaches the model of a team's reduction: a team of 8 warps, as tests/unit/model_cost.cpp counts it.
BOOST_AUTO_TEST_CASE(kokkos_own_part_hangs_on_the_values_and_on_their_join) {
  constexpr int league = 4;
  Policy const policy(league, 256, 1);
  auto const check = [](char const* kernel, std::uint64_t loads, std::uint64_t stores) {
    auto const own = traffic_of(kernel).own;
    BOOST_TEST(own.scratch_loads.requests == league * loads, kernel);
    BOOST_TEST(own.scratch_stores.requests == league * stores, kernel);
  };
  Kokkos::parallel_for(
      "maximum", policy, KOKKOS_LAMBDA(Member const& team) {
        double value = team.team_rank();
        team.team_reduce(Kokkos::Max<double>(value));
      });
  check("maximum", 28, 12);
  Kokkos::parallel_for(
      "int sum", policy, KOKKOS_LAMBDA(Member const& team) {
        int value = team.team_rank();
        team.team_reduce(Kokkos::Sum<int>(value));
      });
  check("int sum", 32, 24);
  Kokkos::parallel_for(
      "minimum of a range", policy, KOKKOS_LAMBDA(Member const& team) {
        float value;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 256), [](int i, float& least) { least = least < i ? least : i; },
            Kokkos::Min<float>(value));
      });
  check("minimum of a range", 20, 12);
  Kokkos::parallel_for(
      "int sum of a range", policy, KOKKOS_LAMBDA(Member const& team) {
        int value;
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 256), [](int i, int& sum) { sum += i; }, value);
      });
  check("int sum of a range", 32, 24);
  double largest = 0;
  Kokkos::parallel_reduce(
      "maximum of teams", policy,
      KOKKOS_LAMBDA(Member const& team, double& value) { value = team.team_rank() > value ? team.team_rank() : value; },
      Kokkos::Max<double>(largest));
  BOOST_TEST(largest == 255);
  check("maximum of teams", 28, 12);
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum of teams", policy, KOKKOS_LAMBDA(Member const& team, double& value) { value += team.team_rank(); }, sum);
  check("sum of teams", 40, 24);
}
