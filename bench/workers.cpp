// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads have run lanes, of a program that does not say how many are to.
//   bench_workers
//   "threads", of twenty launches
#include <Kokkos_Core.hpp>

#include <unistd.h>

#include <cstdio>
#include <set>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const scope(argc, argv);
  int const blocks = 2048, lanes = 256;
  Kokkos::View<int*> threads("threads", blocks);
  std::set<int> all;
  for (int launch = 0; launch != 20; ++launch) {
    Kokkos::parallel_for(
        "work", blocks * lanes, KOKKOS_LAMBDA(int i) {
          if (i % lanes == 0) threads(i / lanes) = gettid();
        });
    auto const here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), threads);
    for (int block = 0; block != blocks; ++block) all.insert(here(block));
  }
  std::printf("%zu\n", all.size());
}
