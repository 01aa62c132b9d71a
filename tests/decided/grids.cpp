// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids with halos, and what is reduced over them: `grids simple`, of which arithmetic decides every launch, and
// `grids others`, right and wrong ones of the same kinds that it leaves to the checks. What is told, and what is reduced, does
// not hang on it.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string_view>

namespace {

constexpr int rows = 90, columns = 2600, halo = 2;
using Range = Kokkos::RangePolicy<>;
using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
using Rows = Kokkos::MDRangePolicy<Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>>;
template <class Layout>
using Field = Kokkos::View<double**, Layout>;
template <class Layout>
using Fields = Kokkos::View<double***, Layout>;

template <class Layout>
Field<Layout> raw(char const* label) {
  return Field<Layout>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), columns, rows);
}

/// Reductions by Kokkos' own reducers.
template <class Layout, class Policy>
void reductions() {
  Field<Layout> const x("x", columns, rows);
  Kokkos::parallel_for(
      "fills", Policy({0, 0}, {columns, rows}), KOKKOS_LAMBDA(int i, int j) { x(i, j) = (i * 7 + j * 31) % 997 - 100; });
  double sum = 0, least = 0, most = 0, product = 0, flat_least = 0;
  int any = 0, all = 0;
  unsigned bits = 0;
  Policy const inside({halo, halo}, {columns - halo, rows - halo});
  Kokkos::parallel_reduce(
      "sum", inside, KOKKOS_LAMBDA(int i, int j, double& s) { s += x(i, j) * x(i - 1, j + 1); }, sum);
  Kokkos::parallel_reduce(
      "least", inside,
      KOKKOS_LAMBDA(int i, int j, double& v) {
        if (x(i + 1, j) - x(i, j) < v) v = x(i + 1, j) - x(i, j);
      },
      Kokkos::Min<double>(least));
  Kokkos::parallel_reduce(
      "most", inside, KOKKOS_LAMBDA(int i, int j, double& v) { v = Kokkos::max(v, x(i, j)); }, Kokkos::Max<double>(most));
  Kokkos::parallel_reduce(
      "product", Policy({0, 0}, {columns, rows}),
      KOKKOS_LAMBDA(int i, int j, double& v) { v *= 1 + x(i, j) * 1e-9; }, Kokkos::Prod<double>(product));
  Kokkos::parallel_reduce(
      "any", inside, KOKKOS_LAMBDA(int i, int j, int& v) { v = v || x(i, j) == 5; }, Kokkos::LOr<int>(any));
  Kokkos::parallel_reduce(
      "all", columns, KOKKOS_LAMBDA(int i, int& v) { v = v && x(i, 3) > -101; }, Kokkos::LAnd<int>(all));
  Kokkos::parallel_reduce(
      "bits", columns, KOKKOS_LAMBDA(int i, unsigned& v) { v |= static_cast<unsigned>(x(i, 3) + 200); },
      Kokkos::BOr<unsigned>(bits));
  Kokkos::parallel_reduce(
      "least of a row", columns, KOKKOS_LAMBDA(int i, double& v) { v = Kokkos::min(v, x(i, 3)); },
      Kokkos::Min<double>(flat_least));
  std::printf("%.17g %.17g %.17g %.17g %.17g %d %d %u\n", sum, least, most, product, flat_least, any, all, bits);
}

/// Each lane copies a part of a halo: along it, and across it. `with`: of which of three kinds it is.
template <class Layout>
void halos(int depth, int with) {
  Field<Layout> const x("x", columns, rows);
  Fields<Layout> const u("u", columns, rows, 5);
  Kokkos::parallel_for(
      "bottom", Range(halo - depth, columns - halo + depth), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < depth; ++k) x(i, halo - 1 - k) = x(i, halo + k);
      });
  Kokkos::parallel_for(
      "top", Range(halo - depth, columns - halo + depth), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < depth; ++k) x(i, rows - halo + k) = x(i, rows - halo - 1 - k);
      });
  Kokkos::parallel_for(
      "left", Range(halo - depth, rows - halo + depth), KOKKOS_LAMBDA(int j) {
        for (int k = 0; k < depth; ++k) x(halo - 1 - k, j) = x(halo + k, j);
      });
  Kokkos::parallel_for(
      "right", Range(halo - depth, rows - halo + depth), KOKKOS_LAMBDA(int j) {
        for (int k = 0; k < depth; ++k) x(columns - halo + k, j) = x(columns - halo - 1 - k, j);
      });
  Kokkos::parallel_for(
      "one of three", columns * halo, KOKKOS_LAMBDA(int index) {
        int const i = index / halo, j = index - i * halo;
        int from = 0;
        for (int n = 0; n < 5; ++n) {
          if (with == 0)
            from = 2 * halo - 1 - j;
          else if (with == 1)
            from = halo;
          else
            from = rows - 2 * halo + j;
          u(i, j, n) = u(i, from, n);
        }
      });
  Kokkos::parallel_for(
      "in place", Grid({0, 0}, {columns, rows}), KOKKOS_LAMBDA(int i, int j) {
        double sum = 0;
        for (int n = 0; n < 5; ++n) sum += u(i, j, n);
        for (int n = 0; n < 5; ++n) u(i, j, n) /= sum + 1;
      });
}

/// What lies around the inside is set by nobody.
template <class Layout>
void gaps() {
  Field<Layout> const x = raw<Layout>("x"), y = raw<Layout>("y");
  for (int turn = 0; turn != 2; ++turn) {
    Grid const inside({halo, halo}, {columns - halo, rows - halo});
    Kokkos::parallel_for(
        "sets", inside, KOKKOS_LAMBDA(int i, int j) { x(i, j) = y(i, j) = i + j; });
    Kokkos::parallel_for(
        "reads", inside, KOKKOS_LAMBDA(int i, int j) { y(i, j) = 2 * x(i, j); });
    Kokkos::parallel_for(
        "reads under a condition", columns * rows, KOKKOS_LAMBDA(int index) {
          int const i = index % columns, j = index / columns;
          if (i >= halo && i < columns - halo && j >= halo && j < rows - halo) y(i, j) = x(i, j) + y(i, j);
        });
  }
}

/// Lanes meet, or leave what is there, in the same forms.
/// Of many statements: out of line, unless somebody asks for it.
#define TERM(a, b) p = (p * l.a + r.b * (1 + l.b * l.b)) / (2 + p * p + r.a * r.a), q += p > l.b ? p - r.b : r.a * p;
#define TERMS TERM(a, b) TERM(b, a) TERM(a, c) TERM(c, b) TERM(b, c) TERM(c, a)
struct State {
  double a, b, c;
};
#ifdef __clang__  // whose plug-in leaves it to the compiler what is in line
KOKKOS_FORCEINLINE_FUNCTION
#else
KOKKOS_FUNCTION inline
#endif
void flux(State const& l, State const& r, State& out) {
  double p = 1, q = 0;
  TERMS TERMS TERMS
  // Until it converges, ten times at the most.
  double change = 1, old = p;
  for (int turn = 0; turn < 10 && change > 1e-6; ++turn) {
    double const next = old - (old * old - l.a * l.a - 1) / (2 * old + 1e-3);
    change = Kokkos::abs(next - old);
    old = next;
  }
  out = {old, q, p};
}

/// What lanes compute by a long function that ends by what it finds; `further`: for a neighbour as well.
template <class Layout>
void fluxes(int further) {
  Fields<Layout> const u("u", columns, rows, 3), f("f", columns, rows, 3);
  Kokkos::parallel_for(
      "states", Grid({0, 0}, {columns, rows}), KOKKOS_LAMBDA(int i, int j) {
        for (int k = 0; k < 3; ++k) u(i, j, k) = 1 + (i + 3 * j + 5 * k) % 11;
      });
  Kokkos::parallel_for(
      "fluxes", Grid({1, 0}, {columns - 1, rows}), KOKKOS_LAMBDA(int i, int j) {
        State const l{u(i, j, 0), u(i, j, 1), u(i, j, 2)}, r{u(i - 1, j, 0), u(i - 1, j, 1), u(i - 1, j, 2)};
        State one, other;
        flux(l, r, one);
        flux(r, l, other);
        f(i, j, 0) = one.a - other.a, f(i, j, 1) = one.b, f(i, j, 2) = other.c;
        f(i + further, j, 1) += other.b;
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "fluxes in all", Grid({1, 0}, {columns - 1, rows}), KOKKOS_LAMBDA(int i, int j, double& s) { s += f(i, j, 0); }, sum);
  std::printf("%.17g\n", sum);
}

template <class Layout>
void others() {
  Field<Layout> const x("x", columns, rows), y = raw<Layout>("y");
  Kokkos::parallel_for(
      "two columns each", Range(0, columns - 1), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 2; ++k) x(i + k, 7) = k;
      });
  Kokkos::parallel_for(
      "a row that others read", Range(0, columns - 1), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 3; ++k) x(i, k) = x(i + 1, 4 - k);
      });
  Kokkos::parallel_for(
      "a wrapped row", Range(0, columns), KOKKOS_LAMBDA(int i) {
        double* const all = x.data();
        for (int k = 0; k < 3; ++k) all[i + k * (columns - 1)] = k;
      });
  Kokkos::parallel_for(
      "past the top", Range(0, columns), KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 3; ++k) x.data()[i + (rows - 2 + k) * columns] = k;
      });
  Kokkos::parallel_for(
      "sets the inside", Grid({halo, halo}, {columns - halo, rows - halo}), KOKKOS_LAMBDA(int i, int j) { y(i, j) = 1; });
  Kokkos::parallel_for(
      "reads one more row", Grid({halo, halo}, {columns - halo, rows - halo}),
      KOKKOS_LAMBDA(int i, int j) { x(i, j) = y(i, j) + y(i, j + 1); });
  double sum = 0, least = 0;
  Kokkos::parallel_reduce(
      "sum of what is not set", Grid({0, halo}, {columns, rows - halo}),
      KOKKOS_LAMBDA(int i, int j, double& s) { s += y(i, j); }, sum);
  Kokkos::parallel_reduce(
      "least, and stores that meet", Grid({0, 0}, {columns, rows}),
      KOKKOS_LAMBDA(int i, int j, double& v) {
        x(i, j / 2) = j;
        v = Kokkos::min(v, x(i, rows - 1));
      },
      Kokkos::Min<double>(least));
  std::printf("%d %.17g\n", sum == sum, least);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  std::string_view const part = argc > 1 ? argv[1] : "simple";
  if (part == "simple") {
    reductions<Kokkos::LayoutLeft, Grid>();
    reductions<Kokkos::LayoutRight, Rows>();
    for (int depth = 1; depth <= halo; ++depth)
      for (int with = 0; with != 3; ++with) {
        halos<Kokkos::LayoutLeft>(depth, with);
        halos<Kokkos::LayoutRight>(depth, with);
      }
    gaps<Kokkos::LayoutLeft>();
    gaps<Kokkos::LayoutRight>();
    fluxes<Kokkos::LayoutLeft>(0);
    fluxes<Kokkos::LayoutRight>(0);
  } else {
    fluxes<Kokkos::LayoutLeft>(1);
    fluxes<Kokkos::LayoutRight>(1);
    others<Kokkos::LayoutLeft>();
    others<Kokkos::LayoutRight>();
  }
}
