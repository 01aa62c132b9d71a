// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight faults, each of which makes several findings: once.py runs them one by one.
#include <Kokkos_Core.hpp>

#include <string_view>
#include <utility>

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Tile = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

// One barrier is missing, several lines on its two sides.
void missing_meeting() {
  int const n = 32;
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for(
      "meeting", Policy(1, n).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(n))), KOKKOS_LAMBDA(Member const& member) {
        Tile tile(member.team_scratch(0), n);
        int const i = member.team_rank();
        if (i % 2 == 0)
          tile(i) = 1.0;
        else
          tile(i) = 2.0;
        double const right = tile((i + 1) % n);
        double const left = tile((i + n - 1) % n);
        out(i) = left + right;
      });
}

// Two iterations store to one element, of one View and of the other.
void views_that_take_turns() {
  int const n = 64;
  Kokkos::View<int*> now("now", n), next("next", n);
  for (int step = 0; step < 4; ++step) {
    Kokkos::parallel_for("step", n, KOKKOS_LAMBDA(int i) { next(i / 2) = now(i) + i; });
    std::swap(now, next);
  }
}

// All threads of a team store the same; of one element, those of two teams do.
void one_statement() {
  int const teams = 8;
  Kokkos::View<int*> out("out", teams);
  Kokkos::parallel_for(
      "statement", Policy(teams, 32), KOKKOS_LAMBDA(Member const& member) {
        int const team = member.league_rank();
        out(team < 2 ? 0 : team) = team;
      });
}

// What is read before the neighbour has written it races; the last element, which nobody writes, is not initialised.
void uninitialised() {
  int const n = 32;
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for(
      "uninitialised", Policy(1, n).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(n))),
      KOKKOS_LAMBDA(Member const& member) {
        Tile tile(member.team_scratch(0), n);
        int const i = member.team_rank();
        if (i != n - 1) tile(i) = i;
        out(i) = tile((i + 1) % n);
      });
}

// The vector lanes of a thread carry out each of these lines.
void updates_in_place() {
  int const vector_length = 4;
  Kokkos::parallel_for(
      "in place", Policy(1, 2, vector_length).set_scratch_size(0, Kokkos::PerThread(Tile::shmem_size(12))),
      KOKKOS_LAMBDA(Member const& member) {
        Tile u(member.thread_scratch(0), 12);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, 12), [&](int i) { u(i) = i; });
        double const scale = 0.5;
        u(0) = 1.0 - scale * u(0);
        u(1) = 1.0 - scale * u(1);
        u(2) = 1.0 - scale * u(2);
        u(3) = 1.0 - scale * u(3);
        u(4) = 1.0 - scale * u(4);
        u(5) = 1.0 - scale * u(5);
        u(6) = 1.0 - scale * u(6);
        u(7) = 1.0 - scale * u(7);
        u(8) = 1.0 - scale * u(8);
        u(9) = 1.0 - scale * u(9);
        u(10) = 1.0 - scale * u(10);
        u(11) = 1.0 - scale * u(11);
      });
}

// Written for a vector length of 1: what each thread does to its rows of many Views is done by four lanes.
template <int view>
KOKKOS_INLINE_FUNCTION void forward(Kokkos::View<double*> const& v, int row) {
  v(row) += 1.0;
  v(row) *= 0.5;
  v(row) -= v(row + 1);
  v(row + 1) += v(row);
}

void vector_length() {
  int const n = 16;
  Kokkos::View<double*> a("a", n), b("b", n), c("c", n), d("d", n), e("e", n), f("f", n);
  Kokkos::parallel_for(
      "vector length", Policy(1, n / 2, 4), KOKKOS_LAMBDA(Member const& member) {
        int const row = 2 * member.team_rank();
        forward<0>(a, row);
        forward<1>(b, row);
        forward<2>(c, row);
        forward<3>(d, row);
        forward<4>(e, row);
        forward<5>(f, row);
      });
}

// A label is shortened while others follow it: one store, what reads it in three places.
void one_store() {
  int const n = 64;
  Kokkos::View<int*> labels("labels", n), out("out", n);
  Kokkos::parallel_for(
      "shorten", n, KOKKOS_LAMBDA(int i) {
        int const next = labels((i + 1) % n);
        int const far = labels((i + 2) % n);
        int const farther = labels((i + 3) % n);
        out(i) = next + far + farther;
        labels(i) = i;
      });
}

// Two Views are announced by one atomic, without a fence.
void one_announcement() {
  int const n = 64;
  Kokkos::View<int*> low("low", n), high("high", n), arrived("arrived", n / 2), out("out", n / 2);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::parallel_for(
      "announce", Policy(n, 1), KOKKOS_LAMBDA(Policy::member_type const& member) {
        int const i = member.league_rank();
        low(i) = i;
        high(i) = i + 1;
        if (Kokkos::atomic_fetch_add(&arrived(i / 2), 1) == 0) return;
        out(i / 2) = low(i ^ 1) + high(i ^ 1);
      });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::string_view const fault = argc == 2 ? argv[1] : "";
  if (fault == "missing_meeting") return missing_meeting(), 0;
  if (fault == "views_that_take_turns") return views_that_take_turns(), 0;
  if (fault == "one_statement") return one_statement(), 0;
  if (fault == "uninitialised") return uninitialised(), 0;
  if (fault == "updates_in_place") return updates_in_place(), 0;
  if (fault == "vector_length") return vector_length(), 0;
  if (fault == "one_store") return one_store(), 0;
  if (fault == "one_announcement") return one_announcement(), 0;
  return 2;
}
