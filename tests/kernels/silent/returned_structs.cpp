// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs that functions return go straight into scratch and device memory. GCC shows no store then, nor does Clang for
// structs of 3, 5, 6 and 7 bytes: what the bytes hold tells.
#include <Kokkos_Core.hpp>

#include <new>

template <int n>
struct Bytes {
  unsigned char byte[n];
};
struct Normal {
  double x, y, z;
};

/// By no means in line.
template <int n>
[[gnu::noinline]] KOKKOS_FUNCTION Bytes<n> bytes_of(int rank) {
  Bytes<n> all;
  for (int i = 0; i < n; ++i) all.byte[i] = static_cast<unsigned char>(rank + i);
  return all;
}
[[gnu::noinline]] KOKKOS_FUNCTION Normal axis(int i) { return {i == 0 ? 1. : 0., i == 1 ? 1. : 0., i == 2 ? 1. : 0.}; }

using Policy = Kokkos::TeamPolicy<>;
using Space = Policy::execution_space;
template <class T>
using Tile = Kokkos::View<T*, Space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

/// Each thread makes an element; all read all of them.
template <class T, class Make, class Sum>
void made_in_scratch(Kokkos::View<double**> out, Make const& make, Sum const& sum) {
  int const threads = 8;
  auto const policy = Policy(2, threads).set_scratch_size(0, Kokkos::PerTeam(2 * Tile<T>::shmem_size(threads)));
  Kokkos::parallel_for(
      "made in scratch", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile<T> const assigned(team.team_scratch(0), threads), placed(team.team_scratch(0), threads);
        int const rank = team.team_rank();
        assigned(rank) = make(rank);
        new (&placed(rank)) T(make(rank));
        team.team_barrier();
        double total = 0;
        for (int i = 0; i < threads; ++i) total += sum(assigned(i)) + sum(placed(i));
        out(team.league_rank(), rank) = total;
      });
}

template <int n>
void bytes_in_scratch(Kokkos::View<double**> out) {
  made_in_scratch<Bytes<n>>(
      out, KOKKOS_LAMBDA(int rank) { return bytes_of<n>(rank); },
      KOKKOS_LAMBDA(Bytes<n> const& all) {
        int total = 0;
        for (unsigned char const byte : all.byte) total += byte;
        return total;
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double**> out("out", 2, 8);
  bytes_in_scratch<1>(out);
  bytes_in_scratch<3>(out);
  bytes_in_scratch<4>(out);
  bytes_in_scratch<5>(out);
  bytes_in_scratch<7>(out);
  bytes_in_scratch<8>(out);
  bytes_in_scratch<12>(out);
  bytes_in_scratch<16>(out);
  bytes_in_scratch<24>(out);
  bytes_in_scratch<65>(out);
  auto const length = KOKKOS_LAMBDA(Normal const& n) { return n.x + n.y + n.z; };
  made_in_scratch<Normal>(out, KOKKOS_LAMBDA(int rank) { return axis(rank % 3); }, length);

  int const n = 100;
  Kokkos::View<Normal*> normals(Kokkos::view_alloc("normals", Kokkos::WithoutInitializing), n);
  Kokkos::View<double*> lengths("lengths", n);
  Kokkos::parallel_for(
      "make", n, KOKKOS_LAMBDA(int i) { normals(i) = axis(i % 3); });
  Kokkos::parallel_for(
      "use", n, KOKKOS_LAMBDA(int i) { lengths(i) = length(normals(i)); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), lengths);
  return host(n - 1) == 1 ? 0 : 1;  // EXPECT-NONE
}
