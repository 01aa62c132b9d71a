// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One team stores a word by an atomic and says so. Another one then loads it by an atomic and says so, too, and a third one
// stores to it plainly once it has heard of both.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

KOKKOS_FUNCTION void wait(int* flag) {
  while (Kokkos::atomic_load(flag) == 0) {
  }
  Kokkos::memory_fence();
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<int> data("data"), ready("ready"), loaded("loaded"), seen("seen");
  Kokkos::parallel_for("hand over", Policy(3, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
    if (team.league_rank() == 0) {
      wait(&ready());
      seen() = Kokkos::atomic_load(&data());
      Kokkos::memory_fence();
      Kokkos::atomic_store(&loaded(), 1);
    } else if (team.league_rank() == 1) {
      Kokkos::atomic_store(&data(), 5);
      Kokkos::memory_fence();
      Kokkos::atomic_store(&ready(), 1);
    } else {
      wait(&ready());
      wait(&loaded());
      data() = 6;
    }
  });
  Kokkos::fence();
}
