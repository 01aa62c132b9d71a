// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each vector lane reads the first element by itself, then a ThreadVectorRange changes it: the lane that has it may be ahead.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 8;
  Kokkos::View<double*> out("out", n);
  Policy const policy = Policy(1, 1, n).set_scratch_size(0, Kokkos::PerThread(Scratch<double*>::shmem_size(n)));
  Kokkos::parallel_for("shift", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double*> row(team.thread_scratch(0), n);
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) { row(j) = j + 1; });
    double const first = row(0);  // EXPECT: scratch-race
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) {
      row(j) += first;  // EXPECT: scratch-race
    });
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) { out(j) = row(j); });
  });
  Kokkos::fence();
}
