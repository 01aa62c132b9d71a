// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report's Fix line for a redundant read-modify-write says "put the update into single(PerThread) , or make it
// atomic". Made atomic (argument 1) it counts once per lane: x = -4 instead of -1.
#include <Kokkos_Core.hpp>
#include <cstdio>
int main(int argc, char**) {
  Kokkos::ScopeGuard g;
  Kokkos::View<double*> x("x", 8);
  bool const atomic = argc > 1;
  Kokkos::parallel_for("upd", Kokkos::TeamPolicy<>(1, 8, 4), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& t) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(t, 8), [&](int i) {
      if (atomic) Kokkos::atomic_sub(&x(i), 1.0);
      else x(i) -= 1.0;
    });
  });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  std::printf("x(0) = %g\n", h(0));
}
