// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a finding says of the data: the View's label, element type, extents, layout, and the index of the element, for
// Views of every layout, through subviews and strides; names of Views in scratch.
#include "SimtTeam.hpp"

#include "../../sim/findings/Collector.hpp"
#include "../../sim/process/FinishedReport.hpp"
#include "../../sim/report/TextReport.hpp"

#include <algorithm>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

/// The Data line of the one finding, which is taken away, up to where the data was obtained.
std::string data_line() {
  auto& collector = teamsan::Collector::instance();
  auto const findings = teamsan::finished_report(collector).findings;
  collector.clear();
  if (findings.size() != 1) return std::to_string(findings.size()) + " findings";
  std::string const text = teamsan::text_finding(findings[0], {}, 1, 1);
  std::size_t const at = text.find(" Data    ") + 9;
  std::string line = text.substr(at, text.find('\n', at) - at);
  std::size_t const origin = std::min(line.find("   obtained at"), line.find("   allocated at"));
  return line.substr(0, origin);
}

/// Two teams store different values to one element.
template <class View, class... Index>
void race_on(View const& view, Index... index) {
  Kokkos::parallel_for(
      "race", Policy(2, 1), KOKKOS_LAMBDA(Member const& team) {
        view(index...) = static_cast<typename View::value_type>(team.league_rank() + 1);
      });
}

template <class T>
using InScratch = Kokkos::View<T, Scratch, Kokkos::MemoryUnmanaged>;

Policy scratch_policy() { return Policy(1, 4).set_scratch_size(0, Kokkos::PerTeam(4096)); }

}  // namespace

BOOST_AUTO_TEST_CASE(layouts) {
  race_on(Kokkos::View<double**, Kokkos::LayoutLeft, Space>("A", 64, 32), 3, 5);
  BOOST_TEST(data_line() == "A(3, 5): double[64][32] LayoutLeft, byte 2584");
  race_on(Kokkos::View<double**, Kokkos::LayoutRight, Space>("A", 64, 32), 3, 5);
  BOOST_TEST(data_line() == "A(3, 5): double[64][32] LayoutRight, byte 808");
  race_on(Kokkos::View<int*, Space>("x", 100), 17);
  BOOST_TEST(data_line() == "x(17): int[100], byte 68");
  race_on(Kokkos::View<float, Space>("total"));
  BOOST_TEST(data_line() == "total(): float, byte 0");
  race_on(Kokkos::View<int** [3], Kokkos::LayoutRight, Space>("c", 4, 5), 1, 2, 2);
  BOOST_TEST(data_line() == "c(1, 2, 2): int[4][5][3] LayoutRight, byte 92");
  race_on(Kokkos::View<int**, Kokkos::LayoutStride, Space>("s", Kokkos::LayoutStride(4, 1, 6, 8)), 2, 3);
  BOOST_TEST(data_line() == "s(2, 3): int[4][6] LayoutStride, byte 104");
}

BOOST_AUTO_TEST_CASE(subviews_and_strides_name_the_whole_view) {
  Kokkos::View<double**, Kokkos::LayoutLeft, Space> const a("A", 16, 8);
  race_on(Kokkos::subview(a, 7, Kokkos::ALL), 5);
  BOOST_TEST(data_line() == "A(7, 5): double[16][8] LayoutLeft, byte 696");
  race_on(Kokkos::subview(a, std::pair(4, 10), std::pair(2, 6)), 1, 2);
  BOOST_TEST(data_line() == "A(5, 4): double[16][8] LayoutLeft, byte 552");
  Kokkos::View<double*, Kokkos::LayoutStride, Space> const column = Kokkos::subview(a, 3, Kokkos::ALL);
  race_on(column, 2);
  BOOST_TEST(data_line() == "A(3, 2): double[16][8] LayoutLeft, byte 280");
}

BOOST_AUTO_TEST_CASE(members_and_the_outside_have_bytes) {
  Kokkos::View<Kokkos::complex<double>*, Space> const z("z", 10);
  Kokkos::parallel_for(
      "race", Policy(2, 1), KOKKOS_LAMBDA(Member const& team) { z(4).imag() = team.league_rank() + 1; });
  BOOST_TEST(data_line() == "z(4): Kokkos::complex<double>[10], byte 72, 8 of the element");
  Kokkos::View<int**, Kokkos::LayoutLeft, Space> const m("m", 4, 4);
  Kokkos::parallel_for(
      "past", Policy(1, 1), KOKKOS_LAMBDA(Member const&) { m.data()[17] = 1; });
  BOOST_TEST(data_line() == "m(1, 4): int[4][4] LayoutLeft, 4 bytes past its end");
}

BOOST_AUTO_TEST_CASE(what_is_no_view_has_a_flat_index) {
  int* const p = static_cast<int*>(Kokkos::kokkos_malloc<teamsan::SimtSpace>("raw", 64));
  Kokkos::parallel_for(
      "race", Policy(2, 1), KOKKOS_LAMBDA(Member const& team) { p[3] = team.league_rank() + 1; });
  BOOST_TEST(data_line() == "raw: device memory, element 3 of 16 (4 bytes each), byte 12");
  Kokkos::kokkos_free<teamsan::SimtSpace>(p);
}

BOOST_AUTO_TEST_CASE(scratch_is_named_by_the_line_that_obtains_it) {
  Kokkos::parallel_for(
      "race", scratch_policy(), KOKKOS_LAMBDA(Member const& team) {
        InScratch<double*> tile(team.team_scratch(0), 8);
        tile(2) = team.team_rank();
      });
  BOOST_TEST(data_line() == "tile: scratch level 0, element 2 of 8 (8 bytes each), byte 16");
  Kokkos::parallel_for(
      "race", scratch_policy(), KOKKOS_LAMBDA(Member const& team) {
        InScratch<int**> as(team.team_scratch(0), 4, 4), bs(team.team_scratch(0), 4, 4);
        bs(1, 2) = team.team_rank();
      });
  BOOST_TEST(data_line() == "bs: scratch level 0, element 9 of 16 (4 bytes each), byte 36");
}

BOOST_AUTO_TEST_CASE(scratch_that_is_named_has_an_index) {
  Kokkos::parallel_for(
      "race", scratch_policy(), KOKKOS_LAMBDA(Member const& team) {
        InScratch<double*> tile(team.team_scratch(0), 8);
        teamsan::name(tile, "row");
        tile(2) = team.team_rank();
      });
  BOOST_TEST(data_line() == "row(2): double[8], scratch level 0, byte 16");
  Kokkos::parallel_for(
      "race", scratch_policy(), KOKKOS_LAMBDA(Member const& team) {
        InScratch<int**> as(team.team_scratch(0), 4, 4);
        Kokkos::View<int**, Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged> bs(team.team_scratch(0), 4, 4);
        teamsan::name(as, "as");
        teamsan::name(bs, "bs");
        bs(1, 2) = team.team_rank();
      });
  BOOST_TEST(data_line() == "bs(1, 2): int[4][4] LayoutRight, scratch level 0, byte 24");
}
