// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a race that then never ends by itself. Its argument says where it is when a signal comes: in a kernel, in
// host code that waits, or in host code that allocates and frees. "found" on standard output: from here on a signal may
// come.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <unistd.h>

using Policy = Kokkos::TeamPolicy<>;
using Scratch = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

void race() {
  Policy policy(4, 32);
  policy.set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(32)));
  Kokkos::View<int*> out("out", 128);
  Kokkos::parallel_for(
      "exchange", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Scratch tile(team.team_scratch(0), 32);
        tile(team.team_rank()) = team.league_rank();
        out(team.league_rank() * 32 + team.team_rank()) = tile((team.team_rank() + 1) % 32);
      });
}

void stay_in_kernels(Kokkos::View<int*> const& out) {
  Kokkos::parallel_for(
      "long", Kokkos::RangePolicy<>(0, 64), KOKKOS_LAMBDA(int i) {
        for (int n = 0; n < 10'000'000; ++n) out(i) = n;
      });
}

void stay_in_malloc() {
  for (int n = 0; n < 1'000'000; ++n) {
    std::unique_ptr<std::string> const text = std::make_unique<std::string>(static_cast<std::size_t>(n % 500), 'x');
    if (text->size() == 500) std::puts("never");
  }
}

int main(int argc, char* argv[]) {
  ::alarm(300);  // a test that failed does not leave it behind
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::string const where = argc > 1 ? argv[1] : "";
  bool const clean = argc > 2 && std::strcmp(argv[2], "clean") == 0;
  if (!clean) race();
  Kokkos::View<int*> out("out", 64);
  std::puts("found");
  std::fflush(stdout);
  for (;;)
    if (where == "kernel")
      stay_in_kernels(out);
    else if (where == "malloc")
      stay_in_malloc();
    else if (where == "print")
      std::puts("on and on");
    else
      ::pause();
}
