// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four host threads, each with an instance and Views of its own, allocate, copy, launch, reduce, fence and free, all at
// once; one View is read by all.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using Team = Kokkos::TeamPolicy<Exec>;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  constexpr int n = 512, threads = 4, rounds = 8;
  Kokkos::View<int*> common("common", n);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) { common(i) = i; });
  Kokkos::fence();
  auto const instances = Kokkos::Experimental::partition_space(Exec(), 1, 1, 1, 1);
  std::vector<long> sums(threads, 0);
  auto const work = [&](int t) {
    Exec const exec = instances[t];
    for (int round = 0; round != rounds; ++round) {
      std::string const label = "own " + std::to_string(t);
      Kokkos::View<int*> own(Kokkos::view_alloc(exec, label), n);
      Kokkos::View<int*, Kokkos::SharedSpace> shared(Kokkos::view_alloc(exec, "shared", Kokkos::WithoutInitializing), n);
      Kokkos::parallel_for("add", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(int i) { own(i) += common(i) + t; });
      Kokkos::parallel_for("teams", Team(exec, n / 32, 32), KOKKOS_LAMBDA(Team::member_type const& team) {
        int const i = team.league_rank() * 32 + team.team_rank();
        int prefix = 1;
        prefix = team.team_scan(prefix);
        shared(i) = own(i) + prefix - team.team_rank();
      });
      long sum = 0;
      Kokkos::parallel_reduce(
          "sum", Kokkos::RangePolicy<Exec>(exec, 0, n), KOKKOS_LAMBDA(int i, long& part) { part += shared(i); }, sum);
      auto const host = Kokkos::create_mirror_view(own);
      Kokkos::deep_copy(exec, host, own);
      exec.fence();
      for (int i = 0; i != n; ++i) sums[t] += shared(i) - host(i);
      sums[t] += sum - n * (n - 1) / 2;
    }
  };
  std::vector<std::thread> all;
  for (int t = 0; t != threads; ++t) all.emplace_back(work, t);
  for (std::thread& thread : all) thread.join();
  for (int t = 0; t != threads; ++t)
    if (sums[t] != rounds * n * t) {
      std::printf("thread %d: %ld\n", t, sums[t]);
      return 1;
    }
  return 0;
}
