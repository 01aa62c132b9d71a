// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bytes of one word are written before and behind a hand-over: the first by the team that begins, at once, its neighbour
// when the other team has told that it has read it.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  Kokkos::View<unsigned char*> bytes("bytes", 4);
  Kokkos::View<int*> ready("ready", 2), read("read", 2);
  Kokkos::parallel_for(
      "turns", Policy(2, 1), KOKKOS_LAMBDA(Member const& team) {
        auto const wait = [&](int flag) {
          while (Kokkos::atomic_load(&ready(flag)) == 0) {}
          Kokkos::memory_fence();
        };
        auto const tell = [&](int flag) {
          Kokkos::memory_fence();
          Kokkos::atomic_store(&ready(flag), 1);
        };
        if (team.league_rank() == 0) {
          bytes(0) = 1;
          wait(0);
          bytes(1) = 7;
          tell(1);
        } else {
          read(0) = bytes(1);
          tell(0);
          wait(1);
          read(1) = bytes(1);
        }
      });
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), read);
  return found(0) == 0 && found(1) == 7 ? 0 : 1;
}
