// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Arrays of rank 2 and more that grow and shrink while part of them is not written yet: Kokkos::resize copies what there is,
// and what is not written stays so. In runs where both lie alike, element by element where they do not.
#include <Kokkos_Core.hpp>

template <class View>
void number(View const& view) {
  Kokkos::parallel_for(
      "number", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {view.extent_int(0), 3}),
      KOKKOS_LAMBDA(int i, int j) { view(i, j) = 100 * i + j; });
}

template <class View>
int wrong_of(View const& view, int rows) {
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, 3}),
      KOKKOS_LAMBDA(int i, int j, int& count) { count += view(i, j) != 100 * i + j; }, wrong);
  return wrong;
}

template <class Layout>
int grow() {
  Kokkos::View<int**, Layout> view(Kokkos::view_alloc(Kokkos::WithoutInitializing, "view"), 50,
                                   5);  // columns 3 and 4 stay as they are
  number(view);
  Kokkos::resize(view, 70, 5);
  int wrong = wrong_of(view, 50);
  Kokkos::resize(Kokkos::WithoutInitializing, view, 80, 7);
  wrong += wrong_of(view, 50);
  Kokkos::resize(view, 20, 4);
  return wrong + wrong_of(view, 20);
}

/// A box of a View, and one that lies the other way round.
int boxes() {
  Kokkos::View<short***, Kokkos::LayoutRight> from("from", 4, 5, 6), to("to", 4, 5, 6);
  Kokkos::View<short***, Kokkos::LayoutLeft> turned("turned", 4, 5, 6);
  Kokkos::View<short***, Kokkos::LayoutRight> cut("cut", 2, 5, 3);
  using Box = Kokkos::MDRangePolicy<Kokkos::Rank<3>>;
  Kokkos::parallel_for(
      "fill", Box({0, 0, 0}, {4, 5, 6}), KOKKOS_LAMBDA(int i, int j, int k) { from(i, j, k) = 100 * i + 10 * j + k; });
  Kokkos::deep_copy(turned, from);
  auto const in = Kokkos::subview(from, Kokkos::pair(1, 3), Kokkos::ALL, Kokkos::pair(2, 5));
  Kokkos::deep_copy(cut, in);
  Kokkos::deep_copy(Kokkos::subview(to, Kokkos::pair(1, 3), Kokkos::ALL, Kokkos::pair(2, 5)), in);
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", Box({0, 0, 0}, {4, 5, 6}),
      KOKKOS_LAMBDA(int i, int j, int k, int& count) {
        bool const inside = i >= 1 && i < 3 && k >= 2 && k < 5;
        count += turned(i, j, k) != from(i, j, k);
        count += to(i, j, k) != (inside ? from(i, j, k) : 0);
        if (inside) count += cut(i - 1, j, k - 2) != from(i, j, k);
      },
      wrong);
  return wrong;
}

/// Of two instances, and in memory that the host reaches: what is pending is told as of a kernel.
int pending() {
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<int**, Kokkos::SharedSpace> a("a", 30, 4), b("b", 20, 3);
  Kokkos::deep_copy(space, b, Kokkos::subview(a, Kokkos::pair(5, 25), Kokkos::pair(1, 4)));
  space.fence();
  return b(3, 2);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return grow<Kokkos::LayoutLeft>() + grow<Kokkos::LayoutRight>() + boxes() + pending();
}
