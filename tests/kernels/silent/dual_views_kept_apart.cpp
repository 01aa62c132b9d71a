// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// DualViews whose host side is newer, and whose device side kernels read all the same, on purpose: coefficients of the round
// before, and of some rounds before; zeros that a kernel, a copy or a team has put there; a half of its own on either side;
// what is copied there by hand; elements, and other bytes of their words, that the host has left alone; an element that a
// kernel copies whole and reads in part; sides that clear_sync_state() calls right; one that is resized; and one that nobody
// reads.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <utility>

struct Particle {
  double x, charge;
};

using Ints = Kokkos::DualView<int*>;

struct Sum {
  Kokkos::View<int*> terms, charges, out;
  bool charged = false;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) += terms(i) + (charged ? charges(i) : 0); }
};

void fill(Ints& dual, int from, int to) {
  for (int i = from; i < to; ++i) dual.view_host()(i) += i + 1;
  dual.modify_host();
}

void beside_DualView_of_Views(Kokkos::View<int*> const& out, int n) {
  Kokkos::View<int*> const made("made", n);
  Kokkos::DualView<int*> const of_views(made, Kokkos::create_mirror(made));
  Kokkos::View<int*> const alone("alone", n);
  auto const mirror = Kokkos::create_mirror(alone);
  for (int i = 0; i < n; ++i) mirror(i) = i + static_cast<int>(of_views.extent(0));
  Kokkos::parallel_for(
      "alone", n, KOKKOS_LAMBDA(int i) { out(i) += alone(i); });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  int const n = 2048;
  Kokkos::View<int*> out("out", n);
  auto const add = [&](Kokkos::View<int*> const& terms, int from, int to) {
    Kokkos::parallel_for(
        "add", Kokkos::RangePolicy<>(from, to), KOKKOS_LAMBDA(int i) { out(i) += terms(i); });
  };

  Ints late("late", n), early("early", n), mean("mean", n);
  for (int round = 0; round < 7; ++round) {
    fill(late, 0, n);
    add(late.view_device(), 0, n);
    late.sync_device();
    early.sync_device();
    fill(early, 0, n);
    add(early.view_device(), 0, n);
    fill(mean, 0, n);
    add(mean.view_device(), 0, n);
    if (round % 3 == 2) mean.sync_device();
  }

  Ints cleared("cleared", n), copied("copied", n), by_team("by_team", n);
  auto const cleared_device = cleared.view_device(), team_device = by_team.view_device();
  fill(cleared, 0, n);
  fill(copied, 0, n);
  fill(by_team, 0, n);
  Kokkos::parallel_for(
      "clear", n, KOKKOS_LAMBDA(int i) { cleared_device(i) = 0; });
  Kokkos::deep_copy(copied.view_device(), 0);
  Kokkos::parallel_for(
      "clear by teams", Policy(n / 32, 32), KOKKOS_LAMBDA(Member const& team) {
        team.team_barrier();
        team_device(team.league_rank() * 32 + team.team_rank()) = 0;
      });
  add(cleared_device, 0, n);
  add(copied.view_device(), 0, n);
  add(team_device, 0, n);

  Ints halves("halves", n), by_hand("by hand", n), odd("odd", n);
  auto const halves_device = halves.view_device(), odd_device = odd.view_device();
  fill(halves, 0, n / 2);
  Kokkos::parallel_for(
      "upper", Kokkos::RangePolicy<>(n / 2, n), KOKKOS_LAMBDA(int i) { halves_device(i) = 2 * i; });
  add(halves_device, n / 2, n);
  fill(by_hand, 0, n);
  Kokkos::deep_copy(by_hand.view_device(), by_hand.view_host());
  add(by_hand.view_device(), 0, n);
  Kokkos::DualView<char*> bytes("bytes", n);
  Kokkos::DualView<Particle*> particles("particles", n);
  for (int i = 0; i < n; i += 2) odd.view_host()(i) = bytes.view_host()(i) = 1;
  for (int i = 0; i < n; ++i) particles.view_host()(i).charge = i;
  odd.modify_host();
  bytes.modify_host();
  particles.modify_host();
  auto const bytes_device = bytes.view_device();
  auto const particles_device = particles.view_device();
  Kokkos::parallel_for(
      "left alone", n, KOKKOS_LAMBDA(int i) {
        Particle const whole = particles_device(i);
        out(i) += static_cast<int>(whole.x) + (i % 2 == 1 ? odd_device(i) + bytes_device(i) : 0);
      });

  Ints called_right("called right", n), grown("grown", n), unread("unread", n), terms("terms", n);
  fill(called_right, 0, n);
  called_right.clear_sync_state();
  add(called_right.view_device(), 0, n);
  fill(grown, 0, n);
  add(grown.view_device(), 0, n);
  grown.resize(n + 1);
  grown.modify_host();
  grown.sync_device();
  add(grown.view_device(), 0, n);
  fill(unread, 0, n);
  fill(terms, 0, n);
  terms.sync_device();
  Kokkos::parallel_for("sum", n, Sum{terms.view_device(), unread.view_device(), out});

  // Kernels' own zeros: behind a read of them, and in one place alone. Of Views a DualView is made of the next ones are none.
  Ints zeroed("zeroed", n), one_place("one place", n);
  auto const zeroed_device = zeroed.view_device(), place_device = one_place.view_device();
  fill(zeroed, 0, n);
  fill(one_place, 0, n);
  add(zeroed_device, 0, n);
  Kokkos::parallel_for(
      "zeros", n, KOKKOS_LAMBDA(int i) { zeroed_device(i) = 0; });
  Kokkos::parallel_for(
      "one", Kokkos::RangePolicy<>(n - 3, n - 2), KOKKOS_LAMBDA(int i) { place_device(i) = 0; });
  add(place_device, 0, n);
  beside_DualView_of_Views(out, n);
  Kokkos::fence();
  return 0;
}
