// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Vector lanes with an index of their own claim places for their keys by an exchange, and look at the place first by an atomic.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const places = 8, vector_length = 8;
  Kokkos::View<int*> keys("keys", places), taken("taken", vector_length);
  Kokkos::parallel_for(
      "claim", Policy(1, 1, vector_length), KOKKOS_LAMBDA(Member const& member) {
        int lane = 0;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, vector_length), [&](int i) { lane = i; });
        for (int place = lane / 2; taken(lane) == 0; place = (place + 1) % places)
          if (Kokkos::atomic_load(&keys(place)) == 0)
            taken(lane) = Kokkos::atomic_compare_exchange(&keys(place), 0, lane + 1) == 0 ? 1 : 0;
      });
  int all = 0;
  Kokkos::parallel_reduce("count", vector_length, KOKKOS_LAMBDA(int i, int& sum) { sum += taken(i); }, all);
  return all == vector_length ? 0 : 1;
}
