// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Teams hand over device memory that was made without initialisation, by flags: each team waits for the next one in the
// league, so that readers come before writers in league order; pieces of bytes overlap in a word. A later kernel reads all.
#include <Kokkos_Core.hpp>

#include <atomic>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 6, width = 5;
  Kokkos::View<int*> mail(Kokkos::view_alloc(Kokkos::WithoutInitializing, "mail"), league);
  Kokkos::View<unsigned char*> bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bytes"), league * width + 1);
  Kokkos::View<int*> parcel(Kokkos::view_alloc(Kokkos::WithoutInitializing, "parcel"), league);
  Kokkos::View<int*> flags("flags", league + 1), sums("sums", league);
  Kokkos::parallel_for(
      "hand over", Policy(league, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.team_rank() != 0) return;
        int const me = team.league_rank();
        if (me + 1 < league) {
          std::atomic_ref<int> next(flags(me + 1));
          while (next.load(std::memory_order_acquire) == 0) {
          }
          sums(me) = mail(me + 1) + bytes((me + 1) * width);
          Kokkos::atomic_add(&parcel(me + 1), sums(me));
        }
        mail(me) = me;
        Kokkos::atomic_store(&parcel(me), me);
        for (int i = 0; i <= width; ++i) bytes(me * width + i) = 1;
        std::atomic_ref<int>(flags(me)).store(1, std::memory_order_release);
      });
  int total = 0;
  Kokkos::parallel_reduce(
      "read all", league * width + 1, KOKKOS_LAMBDA(int i, int& sum) { sum += bytes(i); }, total);
  return total == league * width + 1 ? 0 : 1;
}
