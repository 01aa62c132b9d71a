// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector lanes with an index of their own claim places for their keys by an exchange, and look at the place first without an
// atomic, as Kokkos Kernels' spgemm does in its hash table.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const places = 8, vector_length = 8;
  Kokkos::View<int*> keys("keys", places), taken("taken", vector_length);
  // EXPECT-OUTPUT: by\s+Kokkos::atomic_load\s+if\s+each\s+lane\s+has\s+an\s+index
  Kokkos::parallel_for(
      "claim", Policy(1, 1, vector_length), KOKKOS_LAMBDA(Member const& member) {
        int lane = 0;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, vector_length), [&](int i) { lane = i; });
        for (int place = lane / 2; taken(lane) == 0; place = (place + 1) % places)
          if (keys(place) == 0)  // EXPECT: global-race
            taken(lane) = Kokkos::atomic_compare_exchange(&keys(place), 0, lane + 1) == 0 ? 1 : 0;  // EXPECT: global-race
      });
  int all = 0;
  Kokkos::parallel_reduce("count", vector_length, KOKKOS_LAMBDA(int i, int& sum) { sum += taken(i); }, all);
  return all == vector_length ? 0 : 1;
}
