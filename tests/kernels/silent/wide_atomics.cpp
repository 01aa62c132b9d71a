// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Atomics on structs of 3, 12, 16, 24 and 64 bytes in scratch and in device memory: Kokkos takes locks for most.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

template <int n, class T>
struct Many {
  T value[n] = {};
  KOKKOS_FUNCTION Many operator+(Many const& o) const {
    Many sum;
    for (int i = 0; i < n; ++i) sum.value[i] = static_cast<T>(value[i] + o.value[i]);
    return sum;
  }
};
template <class T>
using InScratch = Kokkos::View<T*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

template <class T>
bool sums_up() {
  int const league = 5, width = 16;
  Kokkos::View<T*> sums("sums", 2);
  T one;
  for (auto& v : one.value) v = 1;
  auto policy = Policy(league, width).set_scratch_size(0, Kokkos::PerTeam(InScratch<T>::shmem_size(3)));
  Kokkos::parallel_for(
      "sums", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        InScratch<T> part(team.team_scratch(0), 3);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 3), [&](int i) { part(i) = T{}; });
        team.team_barrier();
        Kokkos::atomic_add(&part(team.team_rank() % 3), one);
        team.team_barrier();
        if (team.team_rank() < 3) Kokkos::atomic_add(&sums(0), part(team.team_rank()));
        Kokkos::atomic_exchange(&sums(1), one);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (auto const& v : host(0).value)
    if (v != league * width) return false;
  return true;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  bool const right = sums_up<Many<3, unsigned char>>() && sums_up<Many<3, int>>() && sums_up<Many<2, double>>() &&
                     sums_up<Many<3, double>>() && sums_up<Many<8, double>>();
  return right ? 0 : 1;
}
