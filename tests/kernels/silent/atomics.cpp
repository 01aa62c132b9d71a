// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Atomics of all kinds and widths on shared words, in scratch and in device memory.
#include <Kokkos_Core.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Counters =
    Kokkos::View<unsigned*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 6;
  Kokkos::View<double> sum("sum");
  Kokkos::View<float> largest("largest");
  Kokkos::View<std::int64_t> smallest("smallest"), swaps("swaps");
  Kokkos::View<unsigned> bits("bits"), wrap("wrap");
  Kokkos::View<int*, Kokkos::MemoryTraits<Kokkos::Atomic>> marked("marked", 4);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Counters::shmem_size(2)));
  Kokkos::parallel_for(
      "atomics", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Counters counters(team.team_scratch(0), 2);
        int const t = team.team_rank(), l = team.league_rank();
        if (t < 2) Kokkos::atomic_store(&counters(t), 0u);
        team.team_barrier();
        Kokkos::atomic_inc(&counters(0));
        Kokkos::atomic_or(&counters(1), 1u << t % 8);
        Kokkos::atomic_add(&sum(), 0.5);
        Kokkos::atomic_max(&largest(), 1.0f * (l * team_size + t));
        Kokkos::atomic_min(&smallest(), std::int64_t(-t));
        Kokkos::atomic_xor(&bits(), 1u << t);
        Kokkos::atomic_fetch_sub(&wrap(), 1u);
        std::int64_t seen = Kokkos::atomic_load(&swaps());
        for (std::int64_t found;
             (found = Kokkos::atomic_compare_exchange(&swaps(), seen, seen + 1)) != seen;) {
          seen = found;
        }
        marked(t % 4) += 1;
        team.team_barrier();
        if (t == 0 && (counters(0) != 32 || counters(1) != 255)) Kokkos::atomic_add(&sum(), 1000.0);
      });
  double host_sum = 0;
  float host_largest = 0;
  std::int64_t host_smallest = 0, host_swaps = 0;
  unsigned host_bits = 1;
  Kokkos::deep_copy(host_sum, sum);
  Kokkos::deep_copy(host_largest, largest);
  Kokkos::deep_copy(host_smallest, smallest);
  Kokkos::deep_copy(host_swaps, swaps);
  Kokkos::deep_copy(host_bits, bits);
  bool const right = host_sum == 96 && host_largest == 191 && host_smallest == -31 && host_swaps == 192;
  return right && host_bits == 0 ? 0 : 1;
}
