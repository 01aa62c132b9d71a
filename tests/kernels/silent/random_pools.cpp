// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// More lanes than states: states and their locks of Kokkos' pools of random numbers go from lane to lane.
#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

template <class Pool>
int wrong_numbers(char const* name, Pool pool) {
  using Policy = Kokkos::TeamPolicy<>;
  int const n = 1024, lanes = 128;
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for(
      name, n, KOKKOS_LAMBDA(int i) {
        auto generator = pool.get_state();
        x(i) = generator.drand(1.0, 2.0);
        pool.free_state(generator);
      });
  Kokkos::parallel_for(
      std::string(name) + " by teams", Policy(n / lanes, lanes), KOKKOS_LAMBDA(Policy::member_type const& team) {
        auto generator = pool.get_state();
        x(team.league_rank() * lanes + team.team_rank()) += generator.drand(1.0, 2.0);
        pool.free_state(generator);
      });
  Kokkos::fill_random(Kokkos::View<double*>("filled", n), pool, 1.0);
  int wrong = 0;
  Kokkos::parallel_reduce(
      n, KOKKOS_LAMBDA(int i, int& sum) { sum += x(i) < 2.0 || x(i) >= 4.0; }, wrong);
  return wrong;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return wrong_numbers("64", Kokkos::Random_XorShift64_Pool<>(7, 256)) +
         wrong_numbers("1024", Kokkos::Random_XorShift1024_Pool<>(7, 256));
}
