// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane of each thread subtracts.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 8;
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for(
      "subtract", Policy(1, n, 4), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, n), [&](int i) {
          Kokkos::single(Kokkos::PerThread(member), [&] { x(i) -= 1.0; });
        });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  return host(0) == -1 ? 0 : 1;
}
