// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// workgroup_layout: offsets, bytes and limits at compile time. workgroup_variables: where they lie, what they hold at
// first, and the operations of atomic<T>. The two barriers.
#include "Teams.hpp"

#include <teamsan/model/workgroup/atomic.hpp>
#include <teamsan/model/workgroup/barriers.hpp>
#include <teamsan/model/workgroup/vec.hpp>
#include <teamsan/model/workgroup/workgroup_layout.hpp>
#include <teamsan/model/workgroup/workgroup_variables.hpp>

#include <cstdint>

using namespace workgroup_tests;
using teamsan::variable;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Layout = teamsan::workgroup_layout<variable<"tile", float[256]>, variable<"normals", teamsan::vec4f[64]>,
                                         variable<"count", teamsan::atomic<unsigned>>, variable<"flags", char[5]>,
                                         variable<"grid", int[4][3]>>;
static_assert(Layout::bytes == 1024 + 1024 + 16 + 16 + 48);
static_assert(Layout::offset<"tile"> == 0 && Layout::offset<"normals"> == 1024 && Layout::offset<"count"> == 2048);
static_assert(Layout::offset<"flags"> == 2064 && Layout::offset<"grid"> == 2080);
static_assert(Layout::index<"count"> == 2 && std::is_same_v<Layout::type_of<"grid">, int[4][3]>);
static_assert(Layout::alignment == 16 && Layout::scratch_bytes == Layout::bytes + 8);
static_assert(Layout::fits(teamsan::limits::webgpu_minimum));

// By position, as in the issue of a WGSL program.
using Plain = teamsan::workgroup_layout<float[256], teamsan::vec4f[64], teamsan::atomic<unsigned>>;
static_assert(Plain::bytes == 2064 && Plain::offsets[2] == 2048);
static_assert(!teamsan::workgroup_layout<float[4097]>::fits(teamsan::limits::webgpu_minimum));
static_assert(teamsan::workgroup_layout<float[4096]>::fits(teamsan::limits::webgpu_minimum));
static_assert(teamsan::workgroup_layout<double[3]>::scratch_bytes == 32);  // 8 bytes of alignment need no padding

}  // namespace

BOOST_AUTO_TEST_CASE(members_lie_where_the_layout_says_and_do_not_overlap) {
  int const team = threads(32);
  Kokkos::View<int*, Space> wrong("wrong", 4);
  Policy policy(3, team);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "layout", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::uninitialized);
        auto& tile = variables.get<"tile">();
        auto& normals = variables.get<"normals">();
        auto& flags = variables.get<"flags">();
        auto& grid = variables.get<"grid">();
        static_assert(std::is_same_v<decltype(tile), float(&)[256]>);
        static_assert(std::is_same_v<decltype(variables.get<1>()), teamsan::vec4f(&)[64]>);
        int const t = member.team_rank(), n = member.team_size();
        for (int i = t; i < 256; i += n) tile[i] = static_cast<float>(i);
        for (int i = t; i < 64; i += n) normals[i] = {1.f * i, 2.f, 3.f, 4.f};
        for (int i = t; i < 5; i += n) flags[i] = static_cast<char>(i);
        for (int i = t; i < 12; i += n) grid[i / 3][i % 3] = i;
        if (t == 0) variables.get<"count">().store(7);
        teamsan::workgroup_barrier(member);
        for (int i = n - 1 - t; i < 256; i += n)
          if (tile[i] != static_cast<float>(i)) Kokkos::atomic_store(&wrong(0), 1);
        for (int i = n - 1 - t; i < 64; i += n)
          if (!(normals[i] == teamsan::vec4f{1.f * i, 2.f, 3.f, 4.f})) Kokkos::atomic_store(&wrong(1), 1);
        for (int i = n - 1 - t; i < 12; i += n)
          if (grid[i / 3][i % 3] != i) Kokkos::atomic_store(&wrong(2), 1);
        if (variables.get<"count">().load() != 7 || flags[4] != 4 ||
            reinterpret_cast<std::uintptr_t>(&normals) % 16 != 0)
          Kokkos::atomic_store(&wrong(3), 1);
      });
  auto const result = on_host(wrong);
  for (int i = 0; i < 4; ++i) BOOST_TEST(result(i) == 0);
}

BOOST_AUTO_TEST_CASE(zero_initialisation_is_a_choice) {
  // The first launch leaves something in the scratch that the second gets.
  int const team = threads(16);
  Policy policy(2, team);
  policy.set_scratch_size(0, Kokkos::PerTeam(Layout::scratch_bytes));
  Kokkos::parallel_for(
      "leave", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::uninitialized);
        for (int i = member.team_rank(); i < 256; i += member.team_size()) variables.get<"tile">()[i] = 3.f;
      });
  Kokkos::View<int, Space> nonzero("nonzero");
  Kokkos::parallel_for(
      "zero", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);
        bool zero = variables.get<"count">().load() == 0 && variables.get<"grid">()[3][2] == 0;
        for (int i = 0; i < 256; ++i) zero &= variables.get<"tile">()[i] == 0;
        for (int i = 0; i < 64; ++i) zero &= variables.get<"normals">()[i] == teamsan::vec4f{0, 0, 0, 0};
        for (int i = 0; i < 5; ++i) zero &= variables.get<"flags">()[i] == 0;
        if (!zero) Kokkos::atomic_store(&nonzero(), 1);
      });
  BOOST_TEST(on_host(nonzero)() == 0);
}

BOOST_AUTO_TEST_CASE(atomic_operations) {
  using Counters = teamsan::workgroup_layout<variable<"c", teamsan::atomic<int>[8]>, variable<"f", teamsan::atomic<float>>>;
  int const team = threads(32);
  Kokkos::View<int*, Space> out("out", 9);
  Policy policy(1, team);
  policy.set_scratch_size(0, Kokkos::PerTeam(Counters::scratch_bytes));
  Kokkos::parallel_for(
      "atomics", policy, KOKKOS_LAMBDA(Member const& member) {
        auto const variables = teamsan::workgroup_variables<Counters>(member, teamsan::zero_initialized);
        auto& c = variables.get<"c">();
        int const t = member.team_rank();
        c[0].add(2);
        c[1].sub(1);
        c[2].max(t);
        c[3].min(-t);
        c[4].bit_or(1 << (t % 8));
        c[5].bit_xor(1);
        if (t == 0) c[6].exchange(5);
        c[7].compare_exchange(0, t + 1);
        variables.get<"f">().add(0.5f);
        teamsan::workgroup_barrier(member);
        if (t == 0) {
          for (int i = 0; i < 8; ++i) out(i) = c[i].load();
          out(8) = static_cast<int>(variables.get<"f">().load() * 2);
        }
      });
  auto const r = on_host(out);
  BOOST_TEST(r(0) == 2 * team);
  BOOST_TEST(r(1) == -team);
  BOOST_TEST(r(2) == team - 1);
  BOOST_TEST(r(3) == 1 - team);
  BOOST_TEST(r(4) == (team >= 8 ? 255 : (1 << team) - 1));
  BOOST_TEST(r(5) == team % 2);
  BOOST_TEST(r(6) == 5);
  BOOST_TEST((r(7) >= 1 && r(7) <= team));
  BOOST_TEST(r(8) == team);
}

BOOST_AUTO_TEST_CASE(storage_barrier_passes_data_with_a_flag) {
  // Team 0's store, fenced, is seen by who has seen the flag.
  Kokkos::View<int, Space> data("data"), flag("flag"), seen("seen");
  Kokkos::parallel_for(
      "flag", Policy(1, threads(2)), KOKKOS_LAMBDA(Member const& member) {
        if (member.team_rank() == 0) {
          data() = 42;
          teamsan::storage_barrier(member);
          Kokkos::atomic_store(&flag(), 1);
        }
        if (member.team_rank() == member.team_size() - 1) {
          while (Kokkos::atomic_load(&flag()) == 0) {
          }
          teamsan::storage_barrier(member);
          seen() = data();
        }
      });
  BOOST_TEST(on_host(seen)() == 42);
}

BOOST_AUTO_TEST_CASE(the_limit_is_known_when_running) {
  BOOST_TEST(teamsan::workgroup_limit() == static_cast<std::size_t>(Policy::scratch_size_max(0)));
  BOOST_TEST(teamsan::workgroup_limit() >= std::size_t{8192});
}
