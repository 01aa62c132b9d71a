// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that takes 400 steps, each of some kernels: right ones, one whose race shows in each launch, one of teams, one that
// is launched seldom, one whose Views change their size in the middle.
//   MENDED=1 steps     the race is mended
//   steps unseen       what a launch in the middle writes, another one reads; and a View that nobody writes
#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <string_view>

namespace {

constexpr int n = 512, steps = 400;
using Field = Kokkos::View<double*>;

void take_steps(bool mended) {
  using Team = Kokkos::TeamPolicy<>::member_type;
  Field x("x", n), y("y", n), sums("sums", 8);
  for (int step = 1; step <= steps; ++step) {
    Kokkos::parallel_for("axpy", n, KOKKOS_LAMBDA(int i) { y(i) += step * x(i); });
    Kokkos::parallel_for("heavy", n / 8, KOKKOS_LAMBDA(int i) {
      double sum = 0;
      for (int k = 0; k != 100; ++k) sum += x((i + k) % n);
      y(i) = sum;
    });
    Kokkos::parallel_for("racy", n, KOKKOS_LAMBDA(int i) {
      int const to = mended ? i : i / 2;
      x(to) = i;
    });
    Kokkos::parallel_for("team", Kokkos::TeamPolicy<>(4, 32), KOKKOS_LAMBDA(Team const& team) {
      double sum = 0;
      Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 32), [&](int i, double& s) { s += x(i); }, sum);
      Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
    });
    if (step % 100 == 0) Kokkos::parallel_for("seldom", n, KOKKOS_LAMBDA(int i) { y(i) = 0; });
    if (step == 301) y = Field("y", 2 * n);
  }
}

void read_what_was_not_seen() {
  for (int step = 1; step <= 12; ++step) {
    Field between(Kokkos::view_alloc(Kokkos::WithoutInitializing, "between"), n);
    Kokkos::parallel_for("write", n, KOKKOS_LAMBDA(int i) { between(i) = i; });
    Field copy(Kokkos::view_alloc(Kokkos::WithoutInitializing, "copy"), n);
    Kokkos::deep_copy(copy, between);
    double sum = 0;
    // A kernel that comes later is checked where `write` no longer is.
    Kokkos::parallel_reduce(
        step <= 8 ? "read" : "read late", n, KOKKOS_LAMBDA(int i, double& s) { s += between(i) + copy(i); }, sum);
  }
  Field forgotten(Kokkos::view_alloc(Kokkos::WithoutInitializing, "forgotten"), n);
  double sum = 0;
  Kokkos::parallel_reduce("forget", n, KOKKOS_LAMBDA(int i, double& s) { s += forgotten(i); }, sum);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  std::string_view const mode = argc > 1 ? argv[1] : "";
  if (mode == "unseen")
    read_what_was_not_seen();
  else
    take_steps(std::getenv("MENDED") != nullptr);
}
