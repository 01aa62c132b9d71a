// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A pipeline inside a team: thread 0 fills stages of scratch, the other threads empty them; counters in scratch say which
// stages are full and which are empty. Vector lanes store and read, one of them counts.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Shared = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 3, width = 8, length = 4, stages = 3, rounds = 20;
  Kokkos::View<int**> sums("sums", league, width);
  std::size_t const bytes = Shared::shmem_size(stages * length) + 2 * Shared::shmem_size(stages);
  Kokkos::parallel_for(
      "pipeline", Policy(league, width, length).set_scratch_size(0, Kokkos::PerTeam(bytes)),
      KOKKOS_LAMBDA(Member const& member) {
        Shared data(member.team_scratch(0), stages * length);
        Shared full(member.team_scratch(0), stages), empty(member.team_scratch(0), stages);
        Kokkos::single(Kokkos::PerTeam(member), [&] {
          for (int s = 0; s < stages; ++s) full(s) = empty(s) = 0;
        });
        member.team_barrier();
        auto const wait = [&](int& counter, int count) {
          Kokkos::single(Kokkos::PerThread(member), [&] {
            while (Kokkos::atomic_load(&counter) < count) {
            }
            Kokkos::memory_fence();
          });
        };
        auto const count = [&](int& counter) {
          Kokkos::single(Kokkos::PerThread(member), [&] {
            Kokkos::memory_fence();
            Kokkos::atomic_inc(&counter);
          });
        };
        int sum = 0;
        for (int round = 0; round < rounds; ++round) {
          int const s = round % stages, turn = round / stages;
          auto const lanes = Kokkos::ThreadVectorRange(member, length);
          if (member.team_rank() == 0) {
            wait(empty(s), turn * (width - 1));
            Kokkos::parallel_for(lanes, [&](int k) { data(s * length + k) = round + k; });
            count(full(s));
          } else {
            wait(full(s), turn + 1);
            int part = 0;
            Kokkos::parallel_reduce(lanes, [&](int k, int& p) { p += data(s * length + k); }, part);
            sum += part;
            count(empty(s));
          }
        }
        Kokkos::single(Kokkos::PerThread(member), [&] { sums(member.league_rank(), member.team_rank()) = sum; });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(league - 1, width - 1) == length * rounds * (rounds - 1) / 2 + rounds * 6 ? 0 : 1;
}
