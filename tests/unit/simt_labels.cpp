// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel labels and regions reach a launch, with a tool of the user's and without, and nobody's events are
// lost.
#include "SimtHost.hpp"

#include "../../backends/simt/launch/Launch.hpp"
#include "../../backends/simt/tools/Tools.hpp"

using namespace simt_host;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

namespace Experimental = Kokkos::Tools::Experimental;

struct Functor {
  KOKKOS_FUNCTION void operator()(int) const {}
};

/// What a kernel would be launched as, after the begin event `name`.
teamsan::LaunchConfig announced(std::string const& name) {
  Space const space;
  std::uint64_t id = 0;
  Kokkos::Tools::beginParallelFor(name, Experimental::device_id(space), &id);
  return teamsan::simt::describe<Functor>(teamsan::Pattern::parallel_for, teamsan::Policy::range, space);
}

int events = 0, fences = 0;
std::string seen;
void note_begin(char const* name, std::uint32_t, std::uint64_t* id) {
  ++events;
  seen = name;
  *id = 42;
}
std::uint64_t ended = 0;
void note_end(std::uint64_t id) { ended = id; }
void note_fence(char const*, std::uint32_t, std::uint64_t*) { ++fences; }

/// The user's tool for as long as it lives.
struct Tool {
  Tool() {
    events = 0;
    Experimental::set_begin_parallel_for_callback(note_begin);
    Experimental::set_end_parallel_for_callback(note_end);
  }
  ~Tool() { Experimental::set_callbacks({}); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_label_reaches_its_launch_and_no_other) {
  BOOST_TEST(announced("assemble").label == "assemble");
  auto const next =
      teamsan::simt::describe<Functor>(teamsan::Pattern::parallel_for, teamsan::Policy::range, Space());
  BOOST_TEST(next.label.find("Functor") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_kernel_without_label_is_named_after_its_functor) {
  std::string const type(Kokkos::Impl::TypeInfo<Functor>::name());
  BOOST_TEST(announced(type).label == type);
  BOOST_TEST(announced(type + "/SomeTag").label == type + "/SomeTag");
  BOOST_TEST(announced("Kokkos::Impl::CombinedFunctorReducer<" + type + ", R<int>>/SomeTag").label == type + "/SomeTag");
  BOOST_TEST(announced("Kokkos::Impl::CombinedFunctorReducer<" + type + ", R<int>>").label == type);
  BOOST_TEST(teamsan::simt::short_type_name("A<int>") == "A<int>");
  std::string const arguments(100, 'x');
  BOOST_TEST(teamsan::simt::short_type_name("Kokkos::Impl::ViewFill<" + arguments + "<int> >::Tag") ==
             "Kokkos::Impl::ViewFill<...>::Tag");
  BOOST_TEST(teamsan::simt::short_type_name("run<" + arguments + ">()::<lambda(int)>") ==
             "run<...>()::<lambda(int)>");
  BOOST_TEST(teamsan::simt::short_type_name(arguments).size() == 80u);
}

BOOST_AUTO_TEST_CASE(host_kernels_leave_no_label) {
  Kokkos::parallel_for("on the host", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 1),
                       Functor{});
  BOOST_TEST(teamsan::simt::take_kernel_name() == "");
}

BOOST_AUTO_TEST_CASE(regions_nest) {
  Kokkos::Profiling::pushRegion("solve");
  Kokkos::Profiling::pushRegion("assemble");
  BOOST_TEST(announced("a").region == "solve > assemble");
  Kokkos::Profiling::popRegion();
  BOOST_TEST(announced("a").region == "solve");
  Kokkos::Profiling::popRegion();
  BOOST_TEST(announced("a").region == "");
}

BOOST_AUTO_TEST_CASE(a_users_tool_keeps_its_events) {
  Tool const tool;
  Kokkos::parallel_for("kernel", Kokkos::RangePolicy<Space>(0, 10), Functor{});
  BOOST_TEST(events == 1);
  BOOST_TEST(seen == "kernel");
  BOOST_TEST(ended == 42u);
  BOOST_TEST(announced("next").label == "next");
  BOOST_TEST(events == 2);
}

BOOST_AUTO_TEST_CASE(a_paused_tool_is_left_alone_and_comes_back) {
  Tool const tool;
  Space const follow;
  Experimental::pause_tools();
  BOOST_TEST(announced("paused").label == "paused");
  BOOST_TEST(events == 0);
  Experimental::resume_tools();
  BOOST_TEST(announced("resumed").label == "resumed");
  BOOST_TEST(events == 1);
}

BOOST_AUTO_TEST_CASE(listening_adds_no_fences) {
  Experimental::set_begin_fence_callback(note_fence);
  Kokkos::RangePolicy<Space> const policy(0, 10);
  fences = 0;
  Kokkos::parallel_for("kernel", policy, Functor{});
  BOOST_TEST(fences == 0);
  Kokkos::fence();
  BOOST_TEST(fences > 0);
  Experimental::set_begin_fence_callback(nullptr);
}
