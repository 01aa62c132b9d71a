// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Structs whose padding and bit-fields nobody wrote: copied by the last of ten blocks of iterations, each struct by three of
// them, whose members others have read before by themselves.
#include <Kokkos_Core.hpp>

struct Record {
  char kind;
  double value;
  short index;
};
struct Flags {
  unsigned first : 3, second : 7;
  unsigned more;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 2560, late = 2304;
  Kokkos::View<Record*> from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), n);
  Kokkos::View<Flags*> flags(Kokkos::view_alloc("flags", Kokkos::WithoutInitializing), n);
  Kokkos::View<Record**> to("to", n, 3);
  Kokkos::View<double*> values("values", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        from(i).kind = 'a';
        from(i).value = i;
        from(i).index = static_cast<short>(i);
      });
  Kokkos::parallel_for(
      "copy", n, KOKKOS_LAMBDA(int i) {
        if (i < late) {
          values(i) = from(late + i % (n - late)).value;
          return;
        }
        for (int copy = 0; copy < 3; ++copy) to(i, copy) = from(late + (i + copy) % (n - late));
        flags(i).first = i % 8;
        flags(i).second = i % 100;
      });
  Kokkos::fence();
}
