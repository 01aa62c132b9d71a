// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a TeamPolicy takes and refuses, by the modelled device, in the words of Kokkos' own backends.
#include "SimtTeam.hpp"

#include "../../model/device/Device.hpp"
#include "../../sim/base/Options.hpp"
#include "../../sim/findings/Collector.hpp"
#include "../../sim/findings/Sentences.hpp"

#include <cstdio>
#include <stdexcept>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

teamsan::model::Device const& device() { return teamsan::options().model(); }
int lanes_max() { return static_cast<int>(device().max_team_lanes); }
int vector_max() { return static_cast<int>(device().max_vector_length); }
std::size_t level0_max() { return device().scratch_opt_in - device().scratch_reserved; }

struct Nothing {
  KOKKOS_FUNCTION void operator()(Member const&) const {}
  KOKKOS_FUNCTION void operator()(Member const&, int&) const {}
};

struct Array {
  using value_type = int[];
  using execution_space = Space;
  unsigned value_count = 2;
  KOKKOS_FUNCTION void operator()(Member const&, value_type) const {}
};

/// The call must throw exactly these words and make a `limit` finding of them, the only one so far; it is
/// taken away.
template <class Call>
teamsan::Finding refused(Call const& call, std::string const& words) {
  BOOST_CHECK_EXCEPTION(call(), std::runtime_error, [&](std::runtime_error const& e) {
    BOOST_TEST(std::string(e.what()) == words);
    return true;
  });
  auto& collector = teamsan::Collector::instance();
  auto const findings = collector.findings();
  BOOST_REQUIRE(findings.size() == 1u);
  BOOST_TEST((findings[0].rule == teamsan::Rule::limit));
  BOOST_TEST(findings[0].message == words);
  collector.clear();
  return findings[0];
}

std::string numbers(std::size_t requested, std::size_t maximum) {
  return " Requested: " + std::to_string(requested) + ", Maximum: " + std::to_string(maximum);
}

/// A policy with scratch sizes and a chunk size, for another instance: `Update` is Kokkos::Impl::PolicyUpdate.
template <class Update>
void check_copy_for(Policy const& scratch, Space const& other) {
  if constexpr (requires { Update(); }) {
    Policy const copy(Update(), scratch, other);
    BOOST_TEST(copy.scratch_size(0) == 140u);
    BOOST_TEST(copy.scratch_size(0, 2) == 120u);
    BOOST_TEST(copy.scratch_size(1) == 12u);
    BOOST_TEST(copy.team_scratch_size(0) == 100u);
    BOOST_TEST(copy.thread_scratch_size(0) == 10u);
    BOOST_TEST(copy.chunk_size() == 7);
    BOOST_TEST((copy.space() == other));
  } else {
    std::puts("a policy for another instance left out: this Kokkos has no PolicyUpdate");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(constructors) {
  Space const space;
  auto const check = [](Policy const& p, int league, int team, int vector) {
    BOOST_TEST(p.league_size() == league);
    BOOST_TEST(p.team_size() == team);
    BOOST_TEST(p.impl_vector_length() == vector);
    BOOST_TEST(p.impl_auto_team_size() == (team < 0));
  };
  check(Policy(5, 4), 5, 4, 1);
  check(Policy(5, 4, 2), 5, 4, 2);
  check(Policy(5, Kokkos::AUTO), 5, -1, 1);
  check(Policy(5, Kokkos::AUTO, 4), 5, -1, 4);
  check(Policy(5, 4, Kokkos::AUTO), 5, 4, 1);
  check(Policy(5, Kokkos::AUTO, Kokkos::AUTO), 5, -1, 1);
  check(Policy(space, 5, 4), 5, 4, 1);
  check(Policy(space, 5, 4, 2), 5, 4, 2);
  check(Policy(space, 5, Kokkos::AUTO, 2), 5, -1, 2);
  check(Policy(space, 5, 4, Kokkos::AUTO), 5, 4, 1);
  check(Policy(space, 5, Kokkos::AUTO, Kokkos::AUTO), 5, -1, 1);
  check(Policy(), 0, -1, 1);
  BOOST_TEST(Policy(5, 4, Kokkos::AUTO).impl_auto_vector_length());
  BOOST_TEST(!Policy(5, 4, 2).impl_auto_vector_length());

  Policy scratch(5, 4);
  scratch.set_scratch_size(0, Kokkos::PerTeam(100), Kokkos::PerThread(10))
      .set_scratch_size(1, Kokkos::PerThread(3));
  scratch.set_chunk_size(7);
  check_copy_for<Kokkos::Impl::PolicyUpdate>(scratch, Space::create_instance());
  Kokkos::TeamPolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>> const converted(scratch);
  BOOST_TEST(converted.scratch_size(0) == 140u);
}

BOOST_AUTO_TEST_CASE(vector_length_is_a_power_of_two_the_device_has) {
  BOOST_TEST(Policy::vector_length_max() == vector_max());
  for (int requested : {1, 2, 3, 5, 8, 31, 32, 1000}) {
    int expected = 1;
    while (expected * 2 <= requested && expected * 2 <= vector_max()) expected *= 2;
    BOOST_TEST(Policy(1, 1, requested).impl_vector_length() == expected);
  }
}

BOOST_AUTO_TEST_CASE(team_size_limits) {
  for (int vector = 1; vector <= vector_max(); vector *= 2) {
    int const most = lanes_max() / vector;
    BOOST_TEST(Policy(1, most, vector).team_size() == most);
    refused([&] { Policy(1, most + 1, vector); },
            "Kokkos::TeamPolicy<Simt>: Requested too large team size." + numbers(most + 1, most));
    Policy const automatic(1, Kokkos::AUTO, vector);
    BOOST_TEST(automatic.team_size_max(Nothing(), Kokkos::ParallelForTag()) == most);
    BOOST_TEST(automatic.team_size_max(Nothing(), Kokkos::ParallelReduceTag()) == most);
    int sum = 0;
    BOOST_TEST(automatic.team_size_max(Nothing(), Kokkos::Sum<int>(sum), Kokkos::ParallelReduceTag()) ==
               most);
    for (int recommended :
         {automatic.team_size_recommended(Nothing(), Kokkos::ParallelForTag()),
          automatic.team_size_recommended(Nothing(), Kokkos::ParallelReduceTag()),
          automatic.team_size_recommended(Nothing(), Kokkos::Sum<int>(sum), Kokkos::ParallelReduceTag())}) {
      BOOST_TEST(recommended >= 1);
      BOOST_TEST(recommended <= most);
    }
  }
}

BOOST_AUTO_TEST_CASE(launch_bounds_limit_the_team) {
  using Bounded = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<96, 1>>;
  Bounded const policy(1, Kokkos::AUTO, 1);
  BOOST_TEST(policy.team_size_max(Nothing(), Kokkos::ParallelForTag()) == 96);
  BOOST_TEST(policy.team_size_max(Nothing(), Kokkos::ParallelReduceTag()) == 64);  // a power of two
  teamsan::Finding const bounded =
      refused([] { Kokkos::parallel_for("bounds", Bounded(1, 128), Nothing()); },
              "Kokkos::parallel_for<Simt>: Requested too large team size." + numbers(128, 96));
  // No device would take it: it is the policy that does not.
  BOOST_TEST_REQUIRE(bounded.why.size() == 1u);
  BOOST_TEST((bounded.why[0].kind == teamsan::Reason::requested));
  BOOST_TEST((bounded.fix.kind == teamsan::Cure::auto_team_size_bounded));
}

BOOST_AUTO_TEST_CASE(scratch_limits) {
  BOOST_TEST(Policy::scratch_size_max(0) == static_cast<int>(teamsan::model::scratch_level0_max(device())));
  BOOST_TEST(Policy::scratch_size_max(1) == static_cast<int>(device().scratch_level1));
  int const team = 32;
  std::size_t const area = 8 * (team + 2);  // of the team collectives
  std::size_t const level0 = level0_max() - area, level1 = device().scratch_level1;
  auto const with = [&](int level, std::size_t bytes) {
    Policy policy(2, team);
    policy.set_scratch_size(level, Kokkos::PerTeam(bytes));
    return policy;
  };
  Kokkos::parallel_for("fits", with(0, level0), Nothing());
  Kokkos::parallel_for("fits", with(1, level1), Nothing());
  refused([&] { Kokkos::parallel_for("not", with(0, level0 + 1), Nothing()); },
          "Kokkos::parallel_for<Simt>: Requested too much scratch memory on level 0." +
              numbers(level0 + 1, level0));
  refused([&] { Kokkos::parallel_for("not", with(1, level1 + 1), Nothing()); },
          "Kokkos::parallel_for<Simt>: Requested too much scratch memory on level 1." +
              numbers(level1 + 1, level1));
  int sum = 0;
  refused([&] { Kokkos::parallel_reduce("not", with(0, level0 + 1), Nothing(), sum); },
          "Kokkos::parallel_reduce<Simt>: Requested too much scratch memory on level 0." +
              numbers(level0 + 1, level0));
  refused([&] { Kokkos::parallel_reduce("not", with(1, level1 + 1), Nothing(), sum); },
          "Kokkos::parallel_reduce<Simt>: Requested too much scratch memory on level 1." +
              numbers(level1 + 1, level1));
}

BOOST_AUTO_TEST_CASE(scratch_makes_teams_smaller) {
  // 1 KiB a thread, besides the 8 bytes a thread of the team collectives.
  Policy policy(1, Kokkos::AUTO, 1);
  policy.set_scratch_size(0, Kokkos::PerThread(1024));
  int expected = lanes_max();
  while (expected > 0 && static_cast<std::size_t>(expected) * (1024 + 8) + 16 > level0_max()) expected -= 32;
  BOOST_TEST(policy.team_size_max(Nothing(), Kokkos::ParallelForTag()) == expected);
}

BOOST_AUTO_TEST_CASE(league_limit) {
  if (device().max_league > 0x7fffffff) return;
  refused([] { Policy(0x7fffffff, 1); },
          "Requested too large league_size for TeamPolicy on Simt execution space.");
}

BOOST_AUTO_TEST_CASE(array_reductions_need_whole_warps) {
  if (device().vendor != teamsan::model::Vendor::nvidia && device().vendor != teamsan::model::Vendor::amd)
    return;
  int result[2];
  std::string const words = "Kokkos::parallel_reduce with a TeamPolicy using a ";
  refused([&] { Kokkos::parallel_reduce("a", Policy(2, 64, 2), Array(), result); },
          words +
              "vector length of greater than 1 is not currently supported for Simt for dynamic sized "
              "reduction types.");
  refused([&] { Kokkos::parallel_reduce("a", Policy(2, 16), Array(), result); },
          words + "team_size smaller than " + std::to_string(device().warp_width) +
              " is not currently supported with Simt for dynamic sized reduction types.");
  refused([&] { Kokkos::parallel_reduce("a", Policy(2, 96), Array(), result); },
          "Kokkos::Impl::ParallelReduce< Simt > bad team size");
}
