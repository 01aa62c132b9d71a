// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Release and acquire order the data that the flag stands for.
#include <Kokkos_Core.hpp>

#include <atomic>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> data("data"), flag("flag"), seen("seen");
  Kokkos::parallel_for(
      "publish", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        std::atomic_ref<int> ready(flag());
        if (team.league_rank() == 0) {
          data() = 7;
          ready.store(1, std::memory_order_release);
        } else {
          while (ready.load(std::memory_order_acquire) == 0) {
          }
          seen() = data();
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() < 0;
}
