// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team of a lower league rank loads by an atomic what a later one has stored there by an atomic, once that one has said so:
// what is loaded was written, and so it is for the next kernel, which reads it plainly.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<int> data(Kokkos::view_alloc("data", Kokkos::WithoutInitializing));
  Kokkos::View<int> ready("ready"), seen("seen"), last("last");
  Kokkos::parallel_for("hand over", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
    if (team.league_rank() == 1) {
      Kokkos::atomic_store(&data(), 5);
      Kokkos::memory_fence();
      Kokkos::atomic_store(&ready(), 1);
    } else {
      while (Kokkos::atomic_load(&ready()) == 0) {
      }
      Kokkos::memory_fence();
      seen() = Kokkos::atomic_load(&data());
    }
  });
  Kokkos::parallel_for("use", 1, KOKKOS_LAMBDA(int) { last() = data(); });
  Kokkos::fence();
}
