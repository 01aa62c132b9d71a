// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Structs whose members were written one by one and that are copied whole, in sizes that a compiler copies as one word:
// padding inside and at the end, unions, empty members, Kokkos::complex, pair and Array, arrays of structs.
#include <Kokkos_Core.hpp>

#include <cstdint>

struct Empty {};
struct Four {
  char a;
  short b;
};
struct Eight {
  int a;
  char b;
};
struct Sixteen {
  double a;
  float b;
};
struct Tail {
  [[no_unique_address]] Empty empty;
  double a[3];
  char b;
};
union Either {
  int whole[2];
  char first;
};
struct Nested {
  Eight eight;
  Either either;
  Kokkos::pair<char, double> pair;
  Kokkos::Array<Four, 3> fours;
};

using Policy = Kokkos::TeamPolicy<>;
template <class T>
using InScratch = Kokkos::View<T*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

KOKKOS_FUNCTION void set(Four& f, int i) { f.a = static_cast<char>(i), f.b = static_cast<short>(i); }
KOKKOS_FUNCTION int get(Four const& f) { return f.a + f.b; }
KOKKOS_FUNCTION void set(Eight& e, int i) { e.a = i, e.b = static_cast<char>(i); }
KOKKOS_FUNCTION int get(Eight const& e) { return e.a + e.b; }
KOKKOS_FUNCTION void set(Sixteen& s, int i) { s.a = i, s.b = static_cast<float>(i); }
KOKKOS_FUNCTION int get(Sixteen const& s) { return static_cast<int>(s.a + static_cast<double>(s.b)); }
KOKKOS_FUNCTION void set(Tail& t, int i) { t.a[0] = t.a[1] = t.a[2] = i, t.b = 1; }
KOKKOS_FUNCTION int get(Tail const& t) { return static_cast<int>(t.a[0] + t.a[2]) - t.b; }
KOKKOS_FUNCTION void set(Either& e, int i) { e.first = static_cast<char>(i); }
KOKKOS_FUNCTION int get(Either const& e) { return 2 * e.first; }
KOKKOS_FUNCTION void set(Kokkos::complex<double>& c, int i) { c.real() = i, c.imag() = i; }
KOKKOS_FUNCTION int get(Kokkos::complex<double> const& c) { return static_cast<int>(c.real() + c.imag()); }
KOKKOS_FUNCTION void set(Nested& n, int i) {
  set(n.eight, i), set(n.either, i);
  n.pair.first = 1, n.pair.second = i;
  for (int k = 0; k < 3; ++k) set(n.fours[k], i);
}
KOKKOS_FUNCTION int get(Nested const& n) {
  return get(n.eight) + static_cast<int>(n.pair.second) - get(n.fours[1]);  // its 1 is 2 + 1 - 2
}

template <class T>
bool copies(int one = 2) {
  int const league = 3, width = 16;
  Kokkos::View<T*> from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), league * width);
  Kokkos::View<T*> to(Kokkos::view_alloc("to", Kokkos::WithoutInitializing), league * width);
  Kokkos::View<int> sum("sum");
  Kokkos::parallel_for(
      "fill", league * width, KOKKOS_LAMBDA(int i) { set(from(i), i % 50); });
  auto policy = Policy(league, width).set_scratch_size(0, Kokkos::PerTeam(InScratch<T>::shmem_size(2 * width)));
  Kokkos::parallel_for(
      "copy", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        InScratch<T> tile(team.team_scratch(0), 2 * width);
        int const t = team.team_rank(), i = team.league_rank() * width + t;
        tile(t) = from(i);
        set(tile(width + t), 1);
        team.team_barrier();
        T const copy = tile((t + 1) % width);
        to(i) = copy;
        T const own = tile(width + (t + 3) % width);
        Kokkos::atomic_add(&sum(), get(copy) + get(own));
      });
  Kokkos::View<T*> again("again", league * width);
  Kokkos::deep_copy(again, to);
  int total = 0;
  Kokkos::parallel_reduce(
      "sum", league * width,
      KOKKOS_LAMBDA(int i, int& update) {
        T const copy = again(i);
        update += get(copy);
      },
      total);
  int within = 0;
  Kokkos::deep_copy(within, sum);
  return within == total + one * league * width;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  bool const right = copies<Four>() && copies<Eight>() && copies<Sixteen>() && copies<Tail>(1) && copies<Either>() &&
                     copies<Kokkos::complex<double>>();
  return right && copies<Nested>(1) ? 0 : 1;
}
