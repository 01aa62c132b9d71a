// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The atomic that stands for a plain update.
#include "../../sim/places/AtomicForm.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace {

/// At the column of the operator.
std::string form(std::string_view line, std::string_view op) {
  return teamsan::atomic_form(line, static_cast<unsigned>(line.find(op)) + 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_an_update_becomes) {
  BOOST_TEST(form("    h(b)++;", "++") == "Kokkos::atomic_inc(&h(b))");
  BOOST_TEST(form("    --count();  // one less", "--") == "Kokkos::atomic_dec(&count())");
  BOOST_TEST(form("    sum(i % 4, 0) += x(i) * (y + 1);", "+=") == "Kokkos::atomic_add(&sum(i % 4, 0), x(i) * (y + 1))");
  BOOST_TEST(form("x(i) -= 1.0;", "-=") == "Kokkos::atomic_sub(&x(i), 1.0)");
  BOOST_TEST(form("  mask[w] |= 1u << b;", "|=") == "Kokkos::atomic_or(&mask[w], 1u << b)");
  BOOST_TEST(form("  self->cells(c).mass += m;", "+=") == "Kokkos::atomic_add(&self->cells(c).mass, m)");
  BOOST_TEST(form("if (i > 0) total()++;", "++") == "Kokkos::atomic_inc(&total())");
  BOOST_TEST(form("  else n() *= 2;", "*=") == "Kokkos::atomic_mul(&n(), 2)");
  BOOST_TEST(form("if (t == 0) all.get<\"count\">() += 1;", "+=") == "Kokkos::atomic_add(&all.get<\"count\">(), 1)");
  BOOST_TEST(form("  v.template get<\"count\">() += 1;", "+=") == "Kokkos::atomic_add(&v.template get<\"count\">(), 1)");
  BOOST_TEST(form("  KOKKOS_LAMBDA(int i) { n() += i; });", "+=") == "Kokkos::atomic_add(&n(), i)");
}

BOOST_AUTO_TEST_CASE(what_compiles) {
  BOOST_TEST(form("  v.template at<Pair<int>>(i) += 1;", "+=") == "Kokkos::atomic_add(&v.template at<Pair<int>>(i), 1)");
  BOOST_TEST(form("  x->template at<(N > 1)>()--;", "--") == "Kokkos::atomic_dec(&x->template at<(N > 1)>())");
  BOOST_TEST(form("  ++v.template at<0, Pair<int>>(i);", "++") == "Kokkos::atomic_inc(&v.template at<0, Pair<int>>(i))");
  BOOST_TEST(form("  ++at<0>(i).n;", "++") == "Kokkos::atomic_inc(&at<0>(i).n)");
  BOOST_TEST(form("  x(i) += weight<2, 3>(i) + 1, y = 2;", "+=") == "Kokkos::atomic_add(&x(i), weight<2, 3>(i) + 1)");
  BOOST_TEST(form("  x(i) += a<b, c;", "+=") == "Kokkos::atomic_add(&x(i), a<b)");
  BOOST_TEST(form("  *p += 2;", "+=") == "Kokkos::atomic_add(p, 2)");
  BOOST_TEST(form("  **p->q |= m;", "|=") == "Kokkos::atomic_or(*p->q, m)");
  BOOST_TEST(form("  (*p) += 2;", "+=") == "Kokkos::atomic_add(&(*p), 2)");
  BOOST_TEST(form("  ++*p;", "++") == "Kokkos::atomic_inc(p)");
  BOOST_TEST(form("  if (here)x(i) += 1;", "+=") == "Kokkos::atomic_add(&x(i), 1)");
  BOOST_TEST(form("  if (here) (*p)(i)++;", "++") == "Kokkos::atomic_inc(&(*p)(i))");
  BOOST_TEST(form("  for (int k = 0; k < 3; ++k)x(k)++;", "++k") == "Kokkos::atomic_inc(&k)");
}

BOOST_AUTO_TEST_CASE(whose_value_is_taken) {
  BOOST_TEST(form("y(i) = even ? a()++ : b()--;", "++") == "Kokkos::atomic_fetch_inc(&a())");
  BOOST_TEST(form("y(i) = even ? a()++ : b()--;", "--") == "Kokkos::atomic_fetch_dec(&b())");
  BOOST_TEST(form("      out(i) = counts(0)++; });", "++") == "Kokkos::atomic_fetch_inc(&counts(0))");
  BOOST_TEST(form("int const slot = ++next();", "++") == "Kokkos::atomic_inc_fetch(&next())");
  BOOST_TEST(form("return n() += 2;", "+=") == "Kokkos::atomic_add_fetch(&n(), 2)");
}

BOOST_AUTO_TEST_CASE(what_has_none) {
  BOOST_TEST(form("x(i) = x(i) + 1;", "=").empty());
  BOOST_TEST(form("x(i) +=", "+=").empty());  // goes on in the next line
  BOOST_TEST(teamsan::atomic_form("x(i)++;", 0).empty());
  BOOST_TEST(teamsan::atomic_form("x(i)++;", 80).empty());
}
BOOST_AUTO_TEST_CASE(updates_that_are_spelt_out) {
  auto const at = [](std::string const& line, std::string const& part) {
    return teamsan::update_at(line, static_cast<unsigned>(line.find(part) + 1));
  };
  std::string const larger = "m() = Kokkos::max(m(), x + 1);";
  BOOST_TEST(at(larger, "= K").form == "Kokkos::atomic_max(&m(), x + 1)");
  BOOST_TEST(at(larger, "(), x").form == "Kokkos::atomic_max(&m(), x + 1)");
  BOOST_TEST(at("a(i) = a(i) - w;", "= ").form == "Kokkos::atomic_sub(&a(i), w)");
  BOOST_TEST(at("m() = LARGER(m(), x);", "= ").found);
  BOOST_TEST(at("m() = LARGER(m(), x);", "= ").form.empty());
  BOOST_TEST(at("m() = LARGER(m(), x);", "= ").like == "atomic_max");
  BOOST_TEST(at("m() = LARGER(m(), x);", "LARGER").found);  // what a macro makes stands where its name does
  BOOST_TEST(at("m() = LARGER(m(), x);", "LARGER").like == "atomic_max");
  BOOST_TEST(!at("m() = LARGER(n(), x);", "LARGER").found);
  BOOST_TEST(!at("m() = larger(m(), x);", "larger").found);
  BOOST_TEST(at("e(j) += 0.5 / k;", "(j)").form == "Kokkos::atomic_add(&e(j), 0.5 / k)");
  BOOST_TEST(at("*p = *p + w;", "= ").form == "Kokkos::atomic_add(p, w)");
  BOOST_TEST(at("s() = s() | 1u << b;", "= ").form == "Kokkos::atomic_or(&s(), 1u << b)");
  BOOST_TEST(at("m() = std::fmax(x, m());", "= s").form == "Kokkos::atomic_max(&m(), x)");
  BOOST_TEST(at("m() = fmax(m(), half<float, 2>(x) < y ? x : y);", "= f").form ==
             "Kokkos::atomic_max(&m(), half<float, 2>(x) < y ? x : y)");
  // What reads otherwise than it is computed, and what is no larger one of two.
  for (std::string const line : {"s() = s() + a < b;", "s() = s() * i % 4;", "s() = s() + a ? b : c;", "s() = max(s(), a, b);",
                                 "s() = argmax(s(), a);", "s() = relax(s(), a);"}) {
    BOOST_TEST(at(line, "= ").found);
    BOOST_TEST(at(line, "= ").form.empty());
  }
  BOOST_TEST(!at("a(i) = a(i + 1);", "= ").found);         // of another element
  BOOST_TEST(!at("a(i) = a(i) + a(i + 1);", "(i + 1").found);
  BOOST_TEST(!at("a(i) += a(i + 1);", "(i + 1").found);
  BOOST_TEST(!at("if (a(i) == 1) b(i) = 2;", "(i) ==").found);
}
