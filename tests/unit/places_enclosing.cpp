// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a place stands in, and which View a line indexes, read from the text.
#include "../../sim/places/Enclosing.hpp"
#include "../../sim/places/NamedOperand.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using namespace teamsan;

namespace {

std::vector<std::string> const kernel = {
    "Kokkos::parallel_for(\"k (\", Policy(4, 8).set_scratch_size(0, Kokkos::PerTeam(64)), KOKKOS_LAMBDA(Member const& m) {",
    "  s(m.team_rank()) = '(';  // TeamVectorRange(",
    "  Kokkos::parallel_for(Kokkos::TeamThreadRange(m, 8), [&](int i) {",
    "    if (i > 2) return;",
    "    Kokkos::single(Kokkos::PerThread(m), [&] { t(i) = 0; });",
    "    Kokkos::parallel_for(Kokkos::ThreadVectorRange(m, 8), [&](int j) { u(i, j) = t(i); });",
    "    v(i) = 1;",
    "  });",
    "  if (m.team_rank() == 3) return;",
    "  m.team_barrier();",
};

Enclosing at(unsigned line, std::string const& text) {
  std::vector<std::string> const lines(kernel.begin(), kernel.begin() + line);
  return enclosing_constructs(lines, static_cast<unsigned>(lines.back().find(text) + 1), 11);
}

using Constructs = std::vector<Construct>;

}  // namespace

BOOST_AUTO_TEST_CASE(innermost_first) {
  BOOST_TEST((at(2, "s(").constructs == Constructs{}));
  BOOST_TEST(at(2, "s(").whole);
  BOOST_TEST((at(7, "v(").constructs == Constructs{Construct::team_thread_range}));
  BOOST_TEST(at(7, "v(").line == 13u);
  BOOST_TEST((at(5, "t(i)").constructs == Constructs{Construct::single_per_thread, Construct::team_thread_range}));
  BOOST_TEST((at(6, "u(").constructs == Constructs{Construct::thread_vector_range, Construct::team_thread_range}));
  BOOST_TEST((at(10, "m.").constructs == Constructs{}));
}

BOOST_AUTO_TEST_CASE(whose_body_it_is) {
  BOOST_TEST(at(10, "m.").body() == 11u);
  BOOST_TEST(at(4, "return").body() == 13u);
  BOOST_TEST(at(9, "return").body() == 11u);
  BOOST_TEST((at(6, "u(").bodies == std::vector<unsigned>{16, 13, 11}));
}

BOOST_AUTO_TEST_CASE(a_function_may_be_called_from_anywhere) {
  Enclosing const in = enclosing_constructs({"KOKKOS_FUNCTION void f(Member const& m) {", "  x() = 1;"}, 4);
  BOOST_TEST(!in.whole);
  BOOST_TEST(in.constructs.empty());
  Enclosing const functor = enclosing_constructs({"KOKKOS_FUNCTION void operator()(Member const& m) const {", "  x() = 1;"}, 4);
  BOOST_TEST(functor.whole);
}

BOOST_AUTO_TEST_CASE(the_view_of_a_line) {
  std::string const line = "    sum += a(row, 4) * x(c + f(1));";
  NamedOperand const a = operand_at(line, 13), x = operand_at(line, 24);
  BOOST_TEST(a.name == "a");
  BOOST_TEST((a.arguments == std::vector<std::string>{"row", "4"}));
  BOOST_TEST(x.name == "x");
  BOOST_TEST((x.arguments == std::vector<std::string>{"c + f(1)"}));
  BOOST_TEST(operand_at("  y(i - 1) = 2;", 12).name == "y");
  std::string const choice = "  y(i) = i == 0 ? a(i - 1, f(j)) : 0;", both = "  y(i) = c ? a(i) : b(i);";
  BOOST_TEST(operand_at(choice, 17).name == "a");
  BOOST_TEST((operand_at(choice, 17).arguments == std::vector<std::string>{"i - 1", "f(j)"}));
  BOOST_TEST(operand_at("  y(i) = c ? 0 : b(i);", 12).name == "b");
  BOOST_TEST(operand_at(both, 12).name.empty());
  BOOST_TEST(operand_at("  *p = 2;", 6).name.empty());
  BOOST_TEST(operand_at("  y(i", 4).name.empty());
}

namespace {

/// Two marks in a text: `a` and `b` before a parenthesis.
bool branches(std::vector<std::string> const& lines) {
  auto const place_of = [&](std::string const& mark) {
    Place place;
    for (unsigned i = 0; i != lines.size(); ++i)
      if (std::size_t const at = lines[i].find(mark); at != std::string::npos)
        place.line = 7 + i, place.column = static_cast<unsigned>(at + 1);
    return place;
  };
  return are_in_branches(lines, 7, place_of("a("), place_of("b("));
}

}  // namespace

BOOST_AUTO_TEST_CASE(branches_of_one_condition) {
  BOOST_TEST(branches({"if (t == 0) {", "  a(0) = 1;", "} else {", "  x = b(0);", "}"}));
  BOOST_TEST(branches({"if (t == 0) {", "  x = b(0);", "} else if (t == 1) {", "  y = 1;", "} else a(0) = 1;"}));
  BOOST_TEST(branches({"if (t < 4)", "  if (t == 0) a(0) = 1;", "  else x = b(0);"}));
  BOOST_TEST(branches({"if (t == 0) for (int i = 0; i < 9; ++i) a(i) = 1;", "else { x = b(0); }"}));
  BOOST_TEST(branches({"while (f(t)) {}", "if (t == 0) { a(0); }", "else { x = b(0); }"}));
  BOOST_TEST(!branches({"if (t == 0) a(0) = 1;", "if (t != 0) x = b(0);"}));
  BOOST_TEST(!branches({"if (t == 0) { y = 1; } else { a(0) = 1; }", "x = b(0);"}));
  BOOST_TEST(!branches({"if (t == 0) { a(0) = 1;", "  x = b(0); } else { y = 1; }"}));
  BOOST_TEST(!branches({"a(0) = 1;", "if (t == 0) { y = 1; } else x = b(0);"}));
  // Where a loop goes round, and what the preprocessor chooses.
  BOOST_TEST(!branches({"for (int k = 0; k < 4; ++k) {", "if (k % 2) { a(0) = 1; }", "else { x = b(0); }", "}"}));
  BOOST_TEST(!branches({"#if defined(X)", "a(0) = 1;", "#else", "x = b(0);", "#endif"}));
}
