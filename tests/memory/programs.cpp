// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that make TeamSan keep much: programs NAME. Each prints how many bytes of device memory it touches.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>
#include <sys/resource.h>

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

std::size_t touched = 0;

/// Every lane stores the same values to its team's row.
void same_value() {
  constexpr int league = 400;
  Kokkos::View<double**, Kokkos::LayoutRight> rows("rows", league, 128);
  touched = rows.size() * sizeof(double);
  Kokkos::parallel_for(
      "same_value", Policy(league, 128), KOKKOS_LAMBDA(Member const& team) {
        for (int k = 0; k < 128; ++k) rows(team.league_rank(), k) = -1;
      });
}

/// The same by two lanes that never wait, to many words.
void same_value_of_a_long_lane() {
  Kokkos::View<double*> x("x", 1'000'000);
  touched = x.size() * sizeof(double);
  Kokkos::parallel_for(
      "same_value_of_a_long_lane", Policy(1, 2), KOKKOS_LAMBDA(Member const&) {
        for (std::size_t k = 0; k < x.extent(0); ++k) x(k) = 1;
      });
}

/// Very many teams, whose lanes fill scratch, wait, and store the same values to their team's row.
void many_teams() {
  using Part = Kokkos::View<double*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  constexpr int league = 100'000, lanes = 16, values = 4;
  Kokkos::View<double**, Kokkos::LayoutRight> rows("rows", league, values);
  touched = rows.size() * sizeof(double);
  auto const policy = Policy(league, lanes).set_scratch_size(0, Kokkos::PerTeam(Part::shmem_size(lanes)));
  Kokkos::parallel_for(
      "many_teams", policy, KOKKOS_LAMBDA(Member const& team) {
        Part part(team.team_scratch(0), lanes);
        part(team.team_rank()) = team.league_rank();
        team.team_barrier();
        for (int k = 0; k < values; ++k) rows(team.league_rank(), k) = part(k);
      });
}

/// Teams as large as a GPU has them, all of whose lanes wait.
void waiting() {
  constexpr int league = 200;
  Kokkos::View<int*> x("x", league * 1024);
  touched = x.size() * sizeof(int);
  Kokkos::parallel_for(
      "waiting", Policy(league, 1024), KOKKOS_LAMBDA(Member const& team) {
        team.team_barrier();
        x(team.league_rank() * 1024 + team.team_rank()) = 1;
      });
}

/// One lane of each team reads the first of each 128 bytes of its team's part.
void sparse() {
  constexpr int league = 1000;
  Kokkos::View<char***, Kokkos::LayoutRight> names("names", league, 512, 128);
  Kokkos::View<int*> sums("sums", league);
  touched = names.size() + sums.size() * sizeof(int);
  Kokkos::parallel_for(
      "sparse", Policy(league, 128), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          int sum = 0;
          for (int n = 0; n < 512; ++n) sum += names(team.league_rank(), n, 0);
          sums(team.league_rank()) = sum;
        });
      });
}

/// Every lane reads a table that nobody has initialised.
void uninitialised() {
  Kokkos::View<int*> table(Kokkos::view_alloc("table", Kokkos::WithoutInitializing), 2000);
  Kokkos::View<int**> sums("sums", 16, 128);
  touched = (table.size() + sums.size()) * sizeof(int);
  Kokkos::parallel_for(
      "uninitialised", Policy(16, 128), KOKKOS_LAMBDA(Member const& team) {
        int sum = 0;
        for (int i = 0; i < 2000; ++i) sum += table(i);
        sums(team.league_rank(), team.team_rank()) = sum;
      });
}

/// A lane runs away past the end of its View.
void runaway() {
  Kokkos::View<int*> x("x", 1024), sum("sum", 1);
  touched = (x.size() + sum.size()) * sizeof(int);
  Kokkos::parallel_for(
      "runaway", Policy(1, 1), KOKKOS_LAMBDA(Member const&) {
        int const* const begin = x.data();
        for (std::size_t i = 0; i < std::size_t{48} << 20; i += 64) sum(0) += begin[i / sizeof(int)];
      });
}

/// Views in which nothing is touched.
void untouched() {
  for (int i = 0; i != 20; ++i)
    Kokkos::View<char*>(Kokkos::view_alloc("untouched", Kokkos::WithoutInitializing), std::size_t{60} << 30);
}

long page_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

/// One launch after the other, of teams that read much of what others read and add to what others add to. Says how many pages
/// the system had to bring once the first launches were over.
void many_launches() {
  constexpr int launches = 8, first = 4, league = 64, values = 4096;
  Kokkos::View<double*> in("in", values), out("out", values);
  touched = 2 * values * sizeof(double);
  long before = 0;
  for (int i = 0; i != launches; ++i) {
    if (i == first) before = page_faults();
    Kokkos::parallel_for(
        "many_launches", Policy(league, 32), KOKKOS_LAMBDA(Member const& team) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, values),
                               [&](int k) { Kokkos::atomic_add(&out((k + 64 * team.league_rank()) % values), in(k)); });
        });
    Kokkos::fence();
  }
  std::printf("faults %ld\n", page_faults() - before);
}

/// More memory than --memory-limit of the test allows.
void fill() {
  Kokkos::View<double*> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), std::size_t{1} << 30);
  Kokkos::parallel_for(
      "fill", x.extent(0), KOKKOS_LAMBDA(std::size_t i) { x(i) = 1; });
  Kokkos::fence();
}

/// The same after a race.
void race_and_fill() {
  Kokkos::View<int*> x("x", 1);
  Kokkos::parallel_for(
      "race", 256, KOKKOS_LAMBDA(int i) { x(0) = i; });
  Kokkos::fence();
  fill();
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::string const name = argc > 1 ? argv[1] : "";
  struct {
    char const* name;
    void (*run)();
  } const programs[] = {{"same_value", same_value},
                        {"same_value_of_a_long_lane", same_value_of_a_long_lane},
                        {"many_teams", many_teams},
                        {"waiting", waiting},
                        {"sparse", sparse},
                        {"uninitialised", uninitialised},
                        {"runaway", runaway},
                        {"untouched", untouched},
                        {"many_launches", many_launches},
                        {"fill", fill},
                        {"race_and_fill", race_and_fill}};
  for (auto const& program : programs)
    if (name == program.name) {
      program.run();
      Kokkos::fence();
      std::printf("touched %zu\n", touched);
      return 0;
    }
  std::fprintf(stderr, "no program \"%s\"\n", name.c_str());
  return 2;
}
