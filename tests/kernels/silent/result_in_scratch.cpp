// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A collective stores its result in every lane: all lanes may name one variable in scratch or in a View, and read it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

/// Not trivially copyable: stored by its own assignment.
struct Moments {
  double sum = 0, squares = 0;
  KOKKOS_FUNCTION Moments() {}
  KOKKOS_FUNCTION Moments(Moments const& other) : sum(other.sum), squares(other.squares) {}
  KOKKOS_FUNCTION Moments& operator=(Moments const& other) {
    sum = other.sum;
    squares = other.squares;
    return *this;
  }
  KOKKOS_FUNCTION Moments& operator+=(Moments const& other) {
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
};

using Sums = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
using Pair = Kokkos::View<Moments*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 3, n = 100;
  bool right = true;
  for (int const threads : {1, 31, 64}) {
    for (int const vector : {1, 4}) {
      Kokkos::View<double*> sums("sums", league);
      Kokkos::View<double***> out("out", league, threads, vector);
      auto policy = Policy(league, threads, vector)
                        .set_scratch_size(0, Kokkos::PerTeam(Sums::shmem_size(4) + Pair::shmem_size(1)));
      Kokkos::parallel_for(
          "sums", policy, KOKKOS_LAMBDA(Member const& team) {
            Sums s(team.team_scratch(0), 4);
            Pair moments(team.team_scratch(0), 1);
            int const rank = team.league_rank();
            auto const each = [=](int i, double& sum) { sum += i + rank; };
            Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, n), each, s(0));
            Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, n), each, s(1));
            Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, n), each, Kokkos::Sum<double>(sums(rank)));
            Kokkos::single(Kokkos::PerTeam(team), [&](double& value) { value = n; }, s(2));
            Kokkos::parallel_reduce(
                Kokkos::TeamThreadRange(team, n),
                [=](int i, Moments& m) {
                  m.sum += i;
                  m.squares += i * i;
                },
                moments(0));
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector), [&](int lane) {
              out(rank, team.team_rank(), lane) = s(0) + s(1) + s(2) + sums(rank) + moments(0).sum + moments(0).squares;
            });
          });
      auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
      double const sum = n * (n - 1) / 2;
      double const squares = (n - 1) * n * (2 * n - 1) / 6;
      for (int rank = 0; rank < league; ++rank)
        for (int thread = 0; thread < threads; ++thread)
          for (int lane = 0; lane < vector; ++lane)
            right &= host(rank, thread, lane) == 3 * (sum + n * rank) + n + sum + squares;
    }
  }
  return right ? 0 : 1;
}
