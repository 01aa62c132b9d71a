// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Work that is handed out while the kernel runs: to teams from a counter in device memory, to threads from one in
// scratch, and a ticket lock with fences around plain data.
#include <Kokkos_Core.hpp>

#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024, share = 16, items = n / share;
  Kokkos::View<int*> done("done", n);
  Kokkos::View<int> next("next"), ticket("ticket"), serving("serving"), served("served");
  Kokkos::parallel_for(
      "teams", Policy(8, 16, 4), KOKKOS_LAMBDA(Member const& member) {
        while (true) {
          int item = 0;
          Kokkos::single(
              Kokkos::PerTeam(member), [&](int& mine) { mine = Kokkos::atomic_fetch_add(&next(), 1); }, item);
          if (item >= items) break;
          Kokkos::parallel_for(Kokkos::TeamVectorRange(member, share), [&](int k) { done(item * share + k) += 1; });
        }
      });
  Policy policy(4, 8, 4);
  policy.set_scratch_size(0, Kokkos::PerTeam(sizeof(int)));
  Kokkos::parallel_for(
      "threads", policy, KOKKOS_LAMBDA(Member const& member) {
        auto* const counter = static_cast<int*>(member.team_scratch(0).get_shmem_aligned(sizeof(int), alignof(int)));
        Kokkos::single(Kokkos::PerTeam(member), [&] { *counter = 0; });
        member.team_barrier();
        while (true) {
          int item = 0;
          Kokkos::single(
              Kokkos::PerThread(member), [&](int& mine) { mine = Kokkos::atomic_fetch_add(counter, 1); }, item);
          if (item >= items) break;
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, share / 4),
                               [&](int k) { done((member.league_rank() * items + item) * share / 4 + k) += 1; });
        }
      });
  Kokkos::parallel_for(
      "tickets", Policy(20, 4), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::single(Kokkos::PerTeam(member), [&] {
          int const mine = Kokkos::atomic_fetch_add(&ticket(), 1);
          while (Kokkos::atomic_load(&serving()) != mine) {
          }
          Kokkos::memory_fence();
          served() += 1;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&serving(), mine + 1);
        });
      });
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), done);
  for (int i = 0; i < n; ++i)
    if (result(i) != 2) std::abort();
  int count = 0;
  Kokkos::deep_copy(count, served);
  if (count != 20) std::abort();
}
