// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Vector lanes give themselves an index by a vector range, and go on with elements of their own outside it: so Kokkos Kernels'
// spgemm appends what it has found. Each append is another element's.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

namespace {

// Each word of `kept` that is not empty goes to a list; the index of a lane comes from a scan, or from its range's body.
template <bool scans>
int append(int words, int vector_length) {
  Kokkos::View<int*> kept("kept", words), list("list", words);
  Kokkos::View<int> length("length");
  Kokkos::parallel_for("fill", words, KOKKOS_LAMBDA(int i) { kept(i) = i % 3; });
  Kokkos::parallel_for(
      "append", Policy(1, 4, vector_length), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int lane = 0;
        if constexpr (scans)
          Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, vector_length), [&](int, int& before, bool last) {
            if (last) lane = before;
            ++before;
          });
        else
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length), [&](int i) { lane = i; });
        int const stride = team.team_size() * vector_length;
        for (int i = team.team_rank() * vector_length + lane; i < words; i += stride)
          if (kept(i) != 3) list(Kokkos::atomic_fetch_add(&length(), 1)) = i;
      });
  int found = 0;
  Kokkos::deep_copy(found, length);
  return found;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return append<true>(32, 8) == 32 && append<false>(32, 8) == 32 ? 0 : 1;
}
