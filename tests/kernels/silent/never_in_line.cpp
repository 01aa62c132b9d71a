// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bodies that compilers put in line nowhere: what jumps back into itself, or takes any number of arguments.
#include <Kokkos_Core.hpp>

#include <csetjmp>
#include <cstdarg>
#include <cstdio>

int sum_of(int count, ...) {
  std::va_list all;
  va_start(all, count);
  int sum = 0;
  for (int k = 0; k != count; ++k) sum += va_arg(all, int);
  va_end(all);
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> a("a", n), b("b", n);
  Kokkos::parallel_for("jumps", n, KOKKOS_LAMBDA(int i) {
    std::jmp_buf here;
    if (setjmp(here) == 0 && i % 5 == 0) std::longjmp(here, 1);
    a(i) = i;
  });
  Kokkos::parallel_for("any number", n, KOKKOS_LAMBDA(int i) { b(i) = sum_of(3, a(i), 1, 2); });
  int total = 0;
  Kokkos::parallel_scan("jumps", n, KOKKOS_LAMBDA(int i, int& sum, bool is_final) {
    std::jmp_buf here;
    if (setjmp(here) == 0 && i % 7 == 0) std::longjmp(here, 1);
    if (is_final) a(i) = sum;
    sum += b(i) & 1;
  }, total);
  std::printf("%d\n", total);
}
