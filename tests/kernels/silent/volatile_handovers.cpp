// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Right hand-overs by volatile accesses, each with a fence on either side: a flag in device memory and one in scratch, a
// ticket lock whose counter is stored by volatile, and a chain in which each team waits for the one before.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Flag = Kokkos::View<int, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

template <class T>
KOKKOS_INLINE_FUNCTION T get(T const* p) {
  return *static_cast<T const volatile*>(p);
}
template <class T>
KOKKOS_INLINE_FUNCTION void put(T* p, T value) {
  *static_cast<T volatile*>(p) = value;
}

/// The last team's threads store, one of them raises the flag.
template <class T>
int flag_between_teams() {
  int const league = 5, size = 4;
  Kokkos::View<T> flag("flag");
  Kokkos::View<int*> data("data", size), out("out", league * size);
  Kokkos::parallel_for(
      "flag_between_teams", Policy(league, size), KOKKOS_LAMBDA(Member const& team) {
        int const t = team.team_rank();
        if (team.league_rank() == league - 1) {
          data(t) = 10 + t;
          team.team_barrier();
          if (t == 2) {
            Kokkos::memory_fence();
            put(&flag(), T(3));
          }
        } else {
          if (t == 1) {
            while (get(&flag()) != T(3)) {
            }
            Kokkos::memory_fence();
          }
          team.team_barrier();
          out(team.league_rank() * size + t) = data((t + 1) % size);
        }
      });
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", Kokkos::RangePolicy<>(0, (league - 1) * size),
      KOKKOS_LAMBDA(int i, int& sum) { sum += out(i) != 10 + (i + 1) % size; }, wrong);
  return wrong;
}

int flag_in_scratch() {
  int const league = 3, size = 4;
  Kokkos::View<int*> data("data", league), out("out", league);
  Kokkos::parallel_for(
      "flag_in_scratch", Policy(league, size).set_scratch_size(0, Kokkos::PerTeam(Flag::shmem_size())),
      KOKKOS_LAMBDA(Member const& team) {
        int const l = team.league_rank();
        Flag const flag(team.team_scratch(0));
        if (team.team_rank() == 0) flag() = 0;
        team.team_barrier();
        if (team.team_rank() == 0) {
          while (get(flag.data()) == 0) {
          }
          Kokkos::memory_fence();
          out(l) = data(l);
        } else if (team.team_rank() == 3) {
          data(l) = l;
          Kokkos::memory_fence();
          put(flag.data(), 1);
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1) != 1 || host(2) != 2;
}

int ticket_lock() {
  int const n = 60;
  Kokkos::View<int> next("next"), serving("serving"), sum("sum");
  Kokkos::parallel_for(
      "ticket_lock", Policy(n, 1), KOKKOS_LAMBDA(Member const& team) {
        int const ticket = Kokkos::atomic_fetch_add(&next(), 1);
        while (get(&serving()) != ticket) {
        }
        Kokkos::memory_fence();
        sum() += team.league_rank();
        Kokkos::memory_fence();
        put(&serving(), ticket + 1);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host() != n * (n - 1) / 2;
}

int chain_of_teams() {
  int const league = 40;
  Kokkos::View<int*> done("done", league), prefix("prefix", league);
  Kokkos::parallel_for(
      "chain_of_teams", Policy(league, 1), KOKKOS_LAMBDA(Member const& team) {
        int const l = team.league_rank();
        int before = 0;
        if (l != 0) {
          while (get(&done(l - 1)) == 0) {
          }
          Kokkos::memory_fence();
          before = prefix(l - 1) + prefix(0);  // also by way of the teams between
        }
        prefix(l) = before + 1;
        Kokkos::memory_fence();
        put(&done(l), 1);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), prefix);
  return host(1) != 3 || host(league - 1) != 2 * (league - 1) + 1;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int wrong = flag_between_teams<char>() + flag_between_teams<short>() + flag_between_teams<int>();
  wrong += flag_between_teams<double>() + flag_in_scratch() + ticket_lock() + chain_of_teams();
  return wrong != 0;
}
