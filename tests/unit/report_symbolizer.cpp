// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Line lookup on this very program, which is built with -g1.
#include "../../sim/places/Sites.hpp"
#include "../../sim/places/Symbolizer.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <functional>
#include <numeric>
#include <pthread.h>
#include <string>
#include <ucontext.h>
#include <vector>

using namespace teamsan;

namespace {

[[gnu::noinline]] Site here() {
  asm volatile("" ::: "memory");  // each call is one of its own
  return site_at(__builtin_extract_return_addr(__builtin_return_address(0)));
}

struct Line {
  Site site;
  unsigned line;
};

[[gnu::noinline]] Line plain_site() {
  Line const line_of_it{here(), __LINE__};
  asm volatile("" ::: "memory");
  return line_of_it;
}

inline __attribute__((always_inline)) Line inlined_site() {
  Line const line_of_it{here(), __LINE__};
  asm volatile("" ::: "memory");
  return line_of_it;
}

[[gnu::noinline]] Line outer_site(unsigned& call_line) {
  call_line = __LINE__ + 1;
  Line const line_of_it = inlined_site();
  asm volatile("" ::: "memory");
  return line_of_it;
}

/// An instruction in the standard library's own header code, called from a line of ours.
[[gnu::noinline]] Site from_std_header(unsigned& line) {
  std::vector<int> numbers{3, 1, 2};
  Site site{};
  line = __LINE__ + 1;
  std::for_each(numbers.begin(), numbers.end(), [&](int) { site = here(); });
  asm volatile("" ::: "memory");  // no tail call
  return site;
}

std::string base_name(std::string const& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

BOOST_AUTO_TEST_CASE(names_the_line_of_a_call) {
  Line const line_of_it = plain_site();
  auto const& frames = frames_of(line_of_it.site);
  BOOST_REQUIRE(!frames.empty());
  BOOST_TEST(base_name(frames[0].file) == "report_symbolizer.cpp");
  BOOST_TEST(frames[0].line == line_of_it.line);
  BOOST_TEST(frames[0].column > 0u);
  BOOST_TEST(frames[0].function.find("plain_site") != std::string::npos);
  BOOST_TEST(!frames[0].internal);
}

BOOST_AUTO_TEST_CASE(gives_the_inline_chain_innermost_first) {
  unsigned call_line = 0;
  Line const line_of_it = outer_site(call_line);
  auto const& frames = frames_of(line_of_it.site);
  BOOST_REQUIRE(frames.size() >= 2u);
  BOOST_TEST(frames[0].line == line_of_it.line);
  BOOST_TEST(frames[0].function.find("inlined_site") != std::string::npos);
  BOOST_TEST(frames[1].line == call_line);
  BOOST_TEST(frames[1].function.find("outer_site") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_trail_holds_the_place_and_its_callers) {
  unsigned call_line = 0;
  Line const line_of_it = outer_site(call_line);
  Trail const trail = user_trail(line_of_it.site);
  BOOST_TEST(trail.place.line == line_of_it.line);
  BOOST_REQUIRE(!trail.callers.empty());
  BOOST_TEST(trail.callers[0].line == call_line);
}

BOOST_AUTO_TEST_CASE(skips_what_is_not_the_users) {
  unsigned line = 0;
  Site const site = from_std_header(line);
  Trail const trail = user_trail(site);
  BOOST_TEST(trail.place.line == line);
  BOOST_TEST(!trail.place.internal);
  for (Place const& caller : trail.callers) BOOST_TEST(!is_internal_file(caller.path));
}

BOOST_AUTO_TEST_CASE(walks_callers_when_all_frames_of_the_pc_are_internal) {
  // puts lies in the C library: no line of the user's there, with or without the library's debug information.
  Site const inside_libc = site_of(reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "puts")) + 1);
  Line const line_of_it = plain_site();
  Site const callers[] = {line_of_it.site};
  BOOST_TEST(user_place(inside_libc, callers).line == line_of_it.line);
  BOOST_TEST((users_own(inside_libc, callers) == line_of_it.site));
  Place const alone = user_place(inside_libc);
  BOOST_TEST((!alone.known() || alone.internal));
}

BOOST_AUTO_TEST_CASE(an_unknown_pc_has_no_frames) {
  BOOST_TEST(frames_of(Site{}).empty());
  BOOST_TEST(frames_of(Site{1}).empty());
  BOOST_TEST(to_string(user_place(Site{1})) == "unknown place");
}

BOOST_AUTO_TEST_CASE(same_place_compares_lines_and_columns) {
  auto const again = [] { return here(); };
  Site const same = plain_site().site;
  Site one, two;
  one = again(), two = again();
  BOOST_TEST(same_place(one, two));
  BOOST_TEST(same_place(same, same));
  BOOST_TEST(!same_place(one, same));
  BOOST_TEST(!same_place(Site{1}, Site{2}));
  BOOST_TEST(!same_place(one, same));  // out of its memory
}

namespace {

ucontext_t g_main, g_lane;
Trail g_seen;
Site g_site;

void lane_main() { g_seen = user_trail(g_site); }

}  // namespace

BOOST_AUTO_TEST_CASE(works_on_a_lanes_small_stack) {
  std::vector<char> stack(64 << 10);
  // One that no other test has looked up, so that the lookup itself runs on the small stack.
  unsigned line = 0;
  g_site = outer_site(line).site;
  getcontext(&g_lane);
  g_lane.uc_stack.ss_sp = stack.data();
  g_lane.uc_stack.ss_size = stack.size();
  g_lane.uc_link = &g_main;
  makecontext(&g_lane, lane_main, 0);
  swapcontext(&g_main, &g_lane);
  BOOST_TEST(base_name(g_seen.place.file) == "report_symbolizer.cpp");
}

BOOST_AUTO_TEST_CASE(files_that_are_not_the_users) {
  BOOST_TEST(is_internal_file("/opt/kokkos/include/Kokkos_Core.hpp"));
  BOOST_TEST(is_internal_file("/opt/k/include/impl/Kokkos_ViewMapping.hpp"));
  BOOST_TEST(is_internal_file("/usr/include/desul/atomics/Fetch_Op.hpp"));
  BOOST_TEST(is_internal_file("/usr/include/c++/12/bits/stl_algo.h"));
  BOOST_TEST(is_internal_file("/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h"));
  BOOST_TEST(is_internal_file("/opt/include/teamsan/backends/simt/overlay/../Kokkos_Simt.hpp"));
  BOOST_TEST(is_internal_file("/usr/include/kokkos/mdspan/mdspan.hpp"));
  BOOST_TEST(is_internal_file(""));
  BOOST_TEST(!is_internal_file("/home/me/kokkos-app/src/rhs.hpp"));
  BOOST_TEST(!is_internal_file("/home/me/teamsan/tests/kernels/a.cpp"));
  BOOST_TEST(!is_internal_file("/home/me/desulfurise.cpp"));
}

BOOST_AUTO_TEST_CASE(short_names_hold_no_templates_and_no_parameters) {
  BOOST_TEST(short_function_name("main") == "main");
  BOOST_TEST(short_function_name("assemble(int, double*)") == "assemble");
  BOOST_TEST(short_function_name("void app::Solver<double, 3>::step<Kokkos::View<int*>>(int) const") ==
             "Solver::step");
  BOOST_TEST(
      short_function_name("assemble(int)::{lambda(Member const&)#1}::operator()(Member const&) const") ==
      "lambda in assemble");
  BOOST_TEST(
      short_function_name("auto run<int>(int)::{lambda(auto:1)#2}::operator()<Member>(Member) const") ==
      "lambda in run");
  BOOST_TEST(short_function_name("assemble()::$_0::operator()(int) const") == "lambda in assemble");
  BOOST_TEST(short_function_name("(anonymous namespace)::helper(std::function<void (int)>)") == "helper");
  BOOST_TEST(short_function_name("ns::operator<<(std::ostream&, ns::A<1> const&)") == "ns::operator<<");
  BOOST_TEST(short_function_name("Functor<(Mode)2>::operator()(int) const [clone .isra.0]") ==
             "Functor::operator()");
  BOOST_TEST(short_function_name("") == "");
}
