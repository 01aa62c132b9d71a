// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Atomic updates by every thread of a team that are meant so, though all add the same amount: each thread counts itself, adds
// its share, or what it was left by a range's body, by an atomic, by a scan or by its own random numbers.
#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<int*, Member::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

constexpr int teams = 4, threads = 16, items = 64;

/// The sum of the items, 64, which all threads get.
KOKKOS_FUNCTION double sum_of(Member const& team, Kokkos::View<double*> const& ones) {
  double sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::TeamThreadRange(team, items), [&](int i, double& s) { s += ones(i); }, sum);
  return sum;
}

template <class Update>
bool gives(double expected, Kokkos::View<double*> const& ones, Update const& update) {
  Kokkos::View<double*> x("x", teams);
  Kokkos::parallel_for(
      "update", Policy(teams, threads).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(1))),
      KOKKOS_LAMBDA(Member const& team) { update(team, sum_of(team, ones), x(team.league_rank())); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  for (int t = 0; t < teams; ++t)
    if (host(t) != expected) return false;
  return true;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> const ones("ones", items);
  Kokkos::deep_copy(ones, 1.0);
  Kokkos::View<int*> next("next", teams);
  bool right = true;

  Kokkos::View<long*> pairs("pairs", teams);  // of counts, in 32 bits each
  right &= gives(threads, ones, KOKKOS_LAMBDA(Member const&, double, double& x) { Kokkos::atomic_inc(&x); });
  right &= gives(2.5 * threads, ones, KOKKOS_LAMBDA(Member const&, double, double& cost) { Kokkos::atomic_add(&cost, 2.5); });
  right &= gives(threads, ones, KOKKOS_LAMBDA(Member const& team, double, double& x) {
    Kokkos::atomic_add(&pairs(team.league_rank()), 1l << 32);
    Kokkos::atomic_inc(&x);
  });
  right &= gives(items, ones, KOKKOS_LAMBDA(Member const& team, double sum, double& x) {
    Kokkos::atomic_add(&x, sum / team.team_size());
  });
  right &= gives(2 * items, ones, KOKKOS_LAMBDA(Member const& team, double, double& x) {
    double mine = 0;
    for (int i = team.team_rank(); i < items; i += team.team_size()) mine += 2 * ones(i);
    Kokkos::atomic_add(&x, mine);
  });
  right &= gives(3 * items, ones, KOKKOS_LAMBDA(Member const& team, double, double& x) {
    double mine = 0;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, items), [&](int i) { mine += 3 * ones(i); });
    Kokkos::atomic_add(&x, mine);
  });
  right &= gives(items, ones, KOKKOS_LAMBDA(Member const& team, double sum, double& x) {
    double mine = 0;
    Kokkos::single(Kokkos::PerTeam(team), [&]() { mine = sum; });
    Kokkos::atomic_add(&x, mine);
  });
  right &= gives(2 * items, ones, KOKKOS_LAMBDA(Member const& team, double, double& x) {
    double mine = 0;
    while (Kokkos::atomic_fetch_add(&next(team.league_rank()), 1) < items) mine += 2;
    Kokkos::atomic_add(&x, mine);
  });
  right &= gives(2 * items, ones, KOKKOS_LAMBDA(Member const& team, double, double& x) {
    Scratch ticket(team.team_scratch(0), 1);
    Kokkos::single(Kokkos::PerTeam(team), [&]() { ticket(0) = 0; });
    team.team_barrier();
    int i;
    while ((i = Kokkos::atomic_fetch_add(&ticket(0), 1)) < items) Kokkos::atomic_add(&x, 2 * ones(i));
  });
  right &= gives(3 * threads, ones, KOKKOS_LAMBDA(Member const& team, double, double& x) {
    int const before = team.team_scan(1);
    Kokkos::atomic_add(&x, before < threads ? 3 : 0);
  });
  Kokkos::Random_XorShift64_Pool<> const pool(7);
  right &= gives(2 * threads, ones, KOKKOS_LAMBDA(Member const&, double, double& x) {
    auto state = pool.get_state();
    if (state.drand() < 2) Kokkos::atomic_add(&x, 2);
    pool.free_state(state);
  });
  return right ? 0 : 1;
}
