// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bodies of reductions that store to their value without having read it, and lose nothing: flags, the last one where the last
// one is the largest, one iteration, one of them alone; and bodies that read it first.
#include <Kokkos_Core.hpp>

struct Span {
  int first, last;
};

/// The span of all indices that were given, by a join of its own.
struct Spans {
  using value_type = Span;
  KOKKOS_FUNCTION void operator()(int i, Span& span) const {
    if (i % 3 != 0) return;
    if (span.first > span.last) {
      span = {i, i};
      return;
    }
    if (i < span.first) span.first = i;
    if (i > span.last) span.last = i;
  }
  KOKKOS_FUNCTION void init(Span& span) const { span = {1, 0}; }
  KOKKOS_FUNCTION void join(Span& to, Span const& from) const {
    if (from.first > from.last) return;
    if (to.first > to.last) {
      to = from;
      return;
    }
    if (from.first < to.first) to.first = from.first;
    if (from.last > to.last) to.last = from.last;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> v("v", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { v(i) = (i * 7919) % 5003; });
  int any = 0, failed = 0, same = 0, latest = 0, only = 0, one = 0, largest = 0;
  bool all = false;
  Kokkos::parallel_reduce(
      "any", n,
      KOKKOS_LAMBDA(int i, int& found) {
        if (v(i) % 10 == 0) found = 1;
      },
      Kokkos::LOr<int>(any));
  Kokkos::parallel_reduce(
      "failed", n,
      KOKKOS_LAMBDA(int i, int& error) {
        if (v(i) % 10 == 0) error = 1;
      },
      failed);
  Kokkos::parallel_reduce(
      "all", n,
      KOKKOS_LAMBDA(int i, bool& good) {
        if (v(i) < 0) good = false;
      },
      Kokkos::LAnd<bool>(all));
  Kokkos::parallel_reduce(
      "same", n, KOKKOS_LAMBDA(int, int& dummy) { dummy = 0; }, same);
  Kokkos::parallel_reduce(
      "latest", n,
      KOKKOS_LAMBDA(int i, int& index) {
        if (v(i) % 10 == 0) index = i;
      },
      Kokkos::Max<int>(latest));
  Kokkos::parallel_reduce(
      "only", n,
      KOKKOS_LAMBDA(int i, int& value) {
        if (i == 17) value = v(i);
      },
      only);
  Kokkos::parallel_reduce(
      "one", 1, KOKKOS_LAMBDA(int, int& value) { value = v(7); }, one);
  Kokkos::parallel_reduce(
      "largest", n,
      KOKKOS_LAMBDA(int i, int& most) { most = v(i) > most ? v(i) : most; }, Kokkos::Max<int>(largest));
  using Least = Kokkos::MinLoc<int, int>;
  Least::value_type least;
  Kokkos::parallel_reduce(
      "least", n,
      KOKKOS_LAMBDA(int i, Least::value_type& at) {
        if (v(i) < at.val) {
          at.val = v(i);
          at.loc = i;
        }
      },
      Least(least));
  Span span;
  Kokkos::parallel_reduce("span", n, Spans(), span);
  bool const right = any == 1 && failed > 0 && all && same == 0 && latest > 0 && only == (17 * 7919) % 5003 &&
                     one == (7 * 7919) % 5003 && largest == 5002 && least.val == 0 && span.first == 0 && span.last == 4998;
  return right ? 0 : 1;
}
