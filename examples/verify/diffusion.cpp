// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat in a periodic rod, and what two builds of one program are compared by. Built plain it runs on whatever
// Kokkos has (Cuda, HIP, OpenMP); built for checking, on the simulated GPU. `teamsan verify` runs both:
//     teamsan verify --rtol 1e-13 -- diffusion : diffusion_teamsan
// Snapshots cost nothing unless TEAMSAN_CHECKPOINTS names a file.
#include <Kokkos_Core.hpp>

#include <teamsan/native/Backend.hpp>
#include <teamsan/native/Checkpoint.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int cells_per_team = 64;

struct Flux {
  double left, right;
};

using Team = Kokkos::TeamPolicy<>::member_type;
using Field = Kokkos::View<double*>;

}  // namespace

// A Flux is two numbers and nothing else: its numbers are compared, not its bytes.
template <>
struct teamsan::CheckpointElement<Flux> {
  using type = double;
  static constexpr std::size_t count = 2;
};

namespace {

/// One step: each team brings its part of the rod and a cell on both sides into scratch.
void step(Field const& in, Field const& out, Kokkos::View<Flux*> const& flux, double rate) {
  using Scratch =
      Kokkos::View<double*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  int const n = in.extent_int(0), teams = (n + cells_per_team - 1) / cells_per_team;
  Kokkos::parallel_for(
      "step",
      Kokkos::TeamPolicy<>(teams, Kokkos::AUTO)
          .set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(cells_per_team + 2))),
      KOKKOS_LAMBDA(Team const& team) {
        int const first = team.league_rank() * cells_per_team;
        int const count = first + cells_per_team < n ? cells_per_team : n - first;
        Scratch const tile(team.team_scratch(0), cells_per_team + 2);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count + 2),
                             [&](int i) { tile(i) = in((first + i - 1 + n) % n); });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int i) {
          Flux const f{tile(i + 1) - tile(i), tile(i + 2) - tile(i + 1)};
          flux(first + i) = f;
          out(first + i) = tile(i + 1) + rate * (f.right - f.left);
        });
      });
}

double total(Field const& u) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "total", u.extent(0), KOKKOS_LAMBDA(int i, double& s) { s += u(i); }, sum);
  return sum;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  // A wrong rate, to see what a difference looks like: diffusion 0.2500001
  double const rate = argc > 1 ? std::atof(argv[1]) : 0.25;
  Field u("u", n), next("next", n);
  Kokkos::View<Flux*> flux("flux", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { u(i) = 1.0 / (1 + i % 17); });
  for (int t = 0; t < 5; ++t) {
    step(u, next, flux, rate);
    Kokkos::kokkos_swap(u, next);
    teamsan::checkpoint("u", u);
  }
  teamsan::checkpoint("flux", flux);
  teamsan::checkpoint("total", total(u));
  std::string text = Kokkos::DefaultExecutionSpace::name();
  if (std::string const device = teamsan::native::device_name(); !device.empty()) text += " on " + device;
  if (std::string const model(teamsan::native::device_model()); !model.empty())
    text += ", which teamsan run --device " + model + " simulates";
  std::printf("%s\n", text.c_str());
}
