// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bodies of reductions whose value has several parts, of which they store one without having read it, and read the others or
// leave them alone; and a join that keeps whichever value was found first, where any will do.
#include <Kokkos_Core.hpp>

struct Tally {
  int any, sum, largest;
};

struct Tallies {
  using value_type = Tally;
  KOKKOS_FUNCTION void operator()(int i, Tally& tally) const {
    tally.any = 1;
    tally.sum += i % 5;
    if (i > tally.largest) tally.largest = i;
  }
  KOKKOS_FUNCTION void init(Tally& tally) const { tally = {0, 0, -1}; }
  KOKKOS_FUNCTION void join(Tally& to, Tally const& from) const {
    to.any |= from.any;
    to.sum += from.sum;
    if (from.largest > to.largest) to.largest = from.largest;
  }
};

struct Extremes {
  int bad, largest;
};

/// Either the one part or the other.
struct BadOrLargest {
  using value_type = Extremes;
  KOKKOS_FUNCTION void operator()(int i, Extremes& found) const {
    if (i % 7 == 3) {
      found.bad = 1;
      return;
    }
    if (i % 1000 > found.largest) found.largest = i % 1000;
  }
  KOKKOS_FUNCTION void init(Extremes& found) const { found = {0, -1}; }
  KOKKOS_FUNCTION void join(Extremes& to, Extremes const& from) const {
    to.bad |= from.bad;
    if (from.largest > to.largest) to.largest = from.largest;
  }
};

struct Place {
  int known, index;
};

/// Any place that is wanted.
struct AnyPlace {
  using value_type = Place;
  KOKKOS_FUNCTION void operator()(int i, Place& place) const {
    if (i % 7 == 3) place = {1, i};
  }
  KOKKOS_FUNCTION void init(Place& place) const { place = {0, 0}; }
  KOKKOS_FUNCTION void join(Place& to, Place const& from) const {
    if (!to.known) to = from;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Tally tally;
  Extremes extremes;
  Place place;
  Kokkos::parallel_reduce("tally", n, Tallies(), tally);
  Kokkos::parallel_reduce("extremes", n, BadOrLargest(), extremes);
  Kokkos::parallel_reduce("any", n, AnyPlace(), place);
  using Policy = Kokkos::TeamPolicy<>;
  int wrong = 0;
  Kokkos::parallel_reduce(
      "nested", Policy(20, 16, 4),
      KOKKOS_LAMBDA(Policy::member_type const& team, int& errors) {
        int found = 0, same = 0, sum = 0, bad = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 100),
            [&](int k, int& any) {
              if (k % 7 == 3) any = 1;
            },
            Kokkos::LOr<int>(found));
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, 500),
            [&](int k, int& failed) {
              if (k % 7 == 3) failed = k;
            },
            bad);
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, 100), [&](int, int& constant) { constant = 5; }, same);
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 100),
            [&](int, int& all) {
              int row = 0;
              Kokkos::parallel_reduce(
                  Kokkos::ThreadVectorRange(team, 10), [&](int j, int& s) { s += j; }, row);
              all += row;
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { errors += !found + !bad + (same != 20) + (sum != 4500); });
      },
      wrong);
  bool const right = tally.any == 1 && tally.sum == 2 * n && tally.largest == n - 1 && extremes.bad == 1 &&
                     extremes.largest == 999 && place.known && place.index % 7 == 3 && wrong == 0;
  return right ? 0 : 1;
}
