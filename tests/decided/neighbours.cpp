// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// neighbours [simple]: kernels over lists of neighbours, of which each row has as many as a number in memory says, side by side
// or far apart, in an order that is looked up; of the memory behind a row's last one nothing was written. A row's stride, and
// how long it is, may be the difference of two pointers. With `simple` right ones alone; without, also some whose lists say
// more than there is.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string_view>

namespace {

constexpr int atoms = 5000, most = 120;

template <class Layout>
struct Lists {
  Kokkos::View<int**, Layout> of{Kokkos::view_alloc("neighbours of", Kokkos::WithoutInitializing), atoms, most};
  Kokkos::View<int*> count{"count", atoms}, order{"order", atoms};
  Kokkos::View<int*> begin{"begin", atoms}, packed{Kokkos::view_alloc("packed", Kokkos::WithoutInitializing), 9 * atoms};
};

struct Row {
  int* first;
  int stride, count;
  KOKKOS_FUNCTION int& operator()(int k) const { return first[k * stride]; }
};

/// By teams, as codes do: not decided.
template <class Layout>
void fill(Lists<Layout> const& l) {
  Kokkos::parallel_for(
      "fill", Kokkos::TeamPolicy<>(atoms / 50, 50), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& m) {
        int const i = m.league_rank() * 50 + m.team_rank();
        l.order(i) = atoms - 1 - i;
        l.count(i) = i % 7 == 3 ? 0 : i == 1234 ? most : i % 9;
        for (int k = 0; k < l.count(i); ++k) l.of(i, k) = ((i + 13 * k + 1) % atoms) | (k % 3 << 29);
        l.begin(i) = 9 * i + i % 2;
        for (int k = 0; k < i % 8; ++k) l.packed(l.begin(i) + k) = (i + k) % atoms;
      });
}

template <class Layout>
void simple(Lists<Layout> const& l, Kokkos::View<double*> const& x, Kokkos::View<double*> const& f) {
  Kokkos::parallel_for(
      "full", atoms, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = 0; k < l.count(i); ++k) sum += x(l.of(i, k) & 0x1fffffff) - x(i);
        f(i) += sum;
      });
  Kokkos::parallel_for(
      "in order", atoms, KOKKOS_LAMBDA(int at) {
        int const i = l.order(at), count = l.count(i);
        double sum = 0;
        for (int k = 0; k < count; ++k) {
          int const j = l.of(i, k), kind = j >> 29 & 3;
          if (kind != 2) sum += x(j & 0x1fffffff) * kind;
        }
        f(i) = sum;
      });
  Kokkos::parallel_for(
      "half", atoms, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < l.count(i); ++k) Kokkos::atomic_add(&f(l.of(i, k) & 0x1fffffff), 1.0);
      });
  Kokkos::parallel_for(
      "packed", atoms, KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int k = l.begin(i), end = l.begin(i) + i % 8; k < end; ++k) sum += x(l.packed(k));
        f(i) = sum;
      });
  Kokkos::parallel_for(
      "by pointers", atoms, KOKKOS_LAMBDA(int i) {
        Row const row{&l.of(i, 0), static_cast<int>(&l.of(i, 1) - &l.of(i, 0)), l.count(i)};
        double sum = 0;
        for (int k = 0; k < row.count; ++k) sum += x(row(k) & 0x1fffffff);
        f(i) = sum;
      });
  Kokkos::parallel_for(
      "backwards", atoms, KOKKOS_LAMBDA(int i) {
        int const count = l.count(i);
        std::ptrdiff_t const back = &l.of(i, 0) - &l.of(i, 1);
        double sum = 0;
        for (int k = 0; k < count; ++k) sum += x((&l.of(i, 0))[-back * k] & 0x1fffffff);
        f(i) = sum;
      });
  Kokkos::parallel_for(
      "between pointers", atoms, KOKKOS_LAMBDA(int i) {
        int const *const first = l.packed.data() + l.begin(i), *const last = first + i % 8;
        double sum = 0;
        for (std::ptrdiff_t k = 0; k < last - first; ++k) sum += x(first[k]);
        f(i) = sum;
      });
  double energy = 0;
  Kokkos::parallel_reduce(
      "energy", atoms,
      KOKKOS_LAMBDA(int i, double& e) {
        for (int k = 0; k < l.count(i); ++k) e += x(l.of(i, k) & 0x1fffffff);
      },
      energy);
  std::printf("%g\n", energy);
}

/// Numbers of which a mask leaves bits of the sign: 65,536 further on, where nothing was written.
void masked(Kokkos::View<double*> const& f) {
  int const n = 70000 + atoms;
  Kokkos::View<double*> const y(Kokkos::view_alloc("y", Kokkos::WithoutInitializing), n);
  Kokkos::View<short*> const index("index", atoms);
  Kokkos::parallel_for(
      "some", Kokkos::TeamPolicy<>(atoms / 50, 50), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& m) {
        int const i = m.league_rank() * 50 + m.team_rank();
        y(i) = i;
        index(i) = static_cast<short>(i > 1300 && i < 1400 ? i | 0x8000 : i);
      });
  Kokkos::parallel_for(
      "masked", atoms, KOKKOS_LAMBDA(int i) { f(i) = y.data()[static_cast<long>(index(i)) & 0x17fffL]; });
}

template <class Layout>
void wrong(Lists<Layout> const& l, Kokkos::View<double*> const& x, Kokkos::View<double*> const& f) {
  auto const one_more = [&](int row, int by) {
    Kokkos::parallel_for(
        "counts", Kokkos::TeamPolicy<>(1, 1),
        KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&) { l.count(row) += by; });
  };
  one_more(4000, 1);  // of which nothing was written
  simple(l, x, f);
  one_more(4000, -1);
  simple(l, x, f);
  Kokkos::parallel_for(
      "far", Kokkos::TeamPolicy<>(1, 1),
      KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&) { l.of(4321, 0) = atoms + 3; });
  simple(l, x, f);
  Kokkos::parallel_for(
      "near", Kokkos::TeamPolicy<>(1, 1),
      KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const&) { l.of(4321, 0) = 5; });
  Kokkos::parallel_for(  // what others read
      "in place", atoms, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < l.count(i); ++k) x(i) += x(l.of(i, k) & 0x1fffffff);
      });
  Kokkos::parallel_for(  // the list itself
      "sorted", atoms, KOKKOS_LAMBDA(int i) {
        for (int k = 1; k < l.count(i); ++k)
          if (x(l.of(i, k) & 0x1fffffff) < 0) l.of(i + 1 < atoms ? i + 1 : 0, k - 1) = l.of(i, k);
      });
  one_more(4000, 200);  // beyond the row
  simple(l, x, f);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const guard(argc, argv);
  bool const is_simple = argc > 1 && argv[1] == std::string_view("simple");
  Kokkos::View<double*> x("x", atoms), f("f", atoms);
  Kokkos::deep_copy(x, 1.5);
  Lists<Kokkos::LayoutLeft> const left;
  Lists<Kokkos::LayoutRight> const right;
  fill(left), fill(right);
  for (int turn = 0; turn != 2; ++turn) simple(left, x, f), simple(right, x, f);
  if (!is_simple) wrong(left, x, f), wrong(right, x, f), masked(f);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), f);
  std::printf("%g\n", host(77));
}
