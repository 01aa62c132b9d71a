// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The variable that a line declares with a piece of scratch.
#include "../../sim/places/DeclaredName.hpp"

#include <boost/test/unit_test.hpp>

using teamsan::declared_scratch;

BOOST_AUTO_TEST_CASE(declarations) {
  BOOST_TEST(declared_scratch("        Tile tile(member.team_scratch(0), 8);", 0) == "tile");
  BOOST_TEST(declared_scratch("Kokkos::View<double**, Scratch> b{team.team_scratch(1), n, n};", 60) == "b");
  BOOST_TEST(declared_scratch("Row row (team.thread_scratch( 0 ), n);", 0) == "row");
  BOOST_TEST(declared_scratch("auto const t = Tile(team.team_scratch(0), 8);", 0) == "t");
  BOOST_TEST(declared_scratch("auto* p = static_cast<double*>(team.team_shmem().get_shmem(8));", 0) == "p");
  BOOST_TEST(declared_scratch("View<int*, S> &x = *new (p) View<int*, S>(team.team_scratch(0), 8);", 0) == "x");
  BOOST_TEST(declared_scratch("KOKKOS_LAMBDA(M const& team) { Tile t(team.team_scratch(0), 3); use(t); }", 0) == "t");
}

BOOST_AUTO_TEST_CASE(the_type_may_stand_on_the_line_before) {
  BOOST_TEST(declared_scratch("    tile(team.team_scratch(0), 8);", 0, "Kokkos::View<double*, Scratch>") == "tile");
  BOOST_TEST(declared_scratch("    Tile(team.team_scratch(0), 8);", 0, "auto tile =") == "tile");
  BOOST_TEST(declared_scratch("    tile(team.team_scratch(0), 8);", 0, "use(x);").empty());
  BOOST_TEST(declared_scratch("    Tile(team.team_scratch(0), 8));", 0, "fill(team,").empty());
}

BOOST_AUTO_TEST_CASE(columns_tell_declarators_apart) {
  char const* const line = "Tile as(team.team_scratch(0), n), bs(team.team_scratch(0), n);";
  BOOST_TEST(declared_scratch(line, 6) == "as");    // where Clang says it is
  BOOST_TEST(declared_scratch(line, 32) == "as");   // and GCC
  BOOST_TEST(declared_scratch(line, 35) == "bs");
  BOOST_TEST(declared_scratch(line, 61) == "bs");
  BOOST_TEST(declared_scratch(line, 3).empty());
  BOOST_TEST(declared_scratch(line, 0).empty());
}

BOOST_AUTO_TEST_CASE(no_declaration_no_name) {
  BOOST_TEST(declared_scratch("", 0).empty());
  BOOST_TEST(declared_scratch("fill(team, Tile(team.team_scratch(0), 8));", 0).empty());
  BOOST_TEST(declared_scratch("return Tile(team.team_scratch(0), 8);", 0).empty());
  BOOST_TEST(declared_scratch("fill(team.team_scratch(0));", 0).empty());
  BOOST_TEST(declared_scratch("    : m_tile(team.team_scratch(0), 8) {}", 0).empty());
  BOOST_TEST(declared_scratch("int const my_team_scratch(0);", 0).empty());
  BOOST_TEST(declared_scratch("auto s = member.team_scratch_of(0);", 0).empty());
}
