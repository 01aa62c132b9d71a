// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What refers to variables and temporaries of a lane's own while they live: a temporary that a reference is bound to itself,
// one until its statement ends, a variable of a block that is gone through again, one of two, one that a lambda takes along, a
// value copied out in time.
#include <Kokkos_Core.hpp>

struct Pair {
  double a, b;
  KOKKOS_FUNCTION double const& larger() const { return a > b ? a : b; }
  KOKKOS_FUNCTION Pair const& self() const { return *this; }
  KOKKOS_FUNCTION Pair& add(double x) {
    a += x;
    return *this;
  }
};

KOKKOS_FUNCTION Pair pair_of(int i) { return {1.0 * i, 700.0 - i}; }
KOKKOS_FUNCTION double const& first(Pair const& p) { return p.a; }
template <class F>
KOKKOS_FUNCTION double call(F const& f) {
  return f();
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 700;
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for("lives", n, KOKKOS_LAMBDA(int i) {
    Pair const& bound = pair_of(i);
    double sum = bound.a + first(pair_of(i)) + pair_of(i).self().larger();
    double const* last = nullptr;
    for (int k = 0; k < 3; ++k) {
      Pair again = pair_of(i + k);
      again.add(k).add(1);
      last = &first(again);
      sum += *last;
    }
    Pair one = pair_of(i), two = pair_of(2 * i);
    Pair const& chosen = i % 2 == 0 ? one : two;
    sum += chosen.b + call([&] { return one.a + two.a; });
    double const kept = first(pair_of(i + 1));
    {
      Pair const inner{sum, kept};
      sum = inner.larger();
    }
    out(i) = sum + kept;
  });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0) > 0 ? 0 : 1;
}
