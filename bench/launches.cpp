// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of many launches: what a budget makes of it, and what small launches cost. Each tenth kernel has a hundred pairs of
// lanes that race, in each launch.
//   bench_launches [KERNELS [LAUNCHES [ITERATIONS]]]
//   "cpu_seconds elapsed_us_of_a_launch", of all launches
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

namespace {

constexpr int most_kernels = 100;

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <int Number>
struct Step {
  Kokkos::View<double const*> in;
  Kokkos::View<double*> out;
  KOKKOS_FUNCTION void operator()(int i) const {
    out(Number % 10 == 9 && i % 1'000 == 1 ? i - 1 : i) = 2 * in(i) + i;
  }
};

struct Program {
  Kokkos::View<double*> a, b;
  int iterations;

  template <int Number>
  static void launch(Program const& p) {
    Kokkos::parallel_for("step " + std::to_string(Number), p.iterations, Step<Number>{p.a, p.b});
  }
  template <int... Numbers>
  void run(int kernel, std::integer_sequence<int, Numbers...>) const {
    constexpr void (*launches[])(Program const&) = {launch<Numbers>...};
    launches[kernel](*this);
  }
};

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const scope(argc, argv);
  int const kernels = argc > 1 ? std::clamp(std::atoi(argv[1]), 1, most_kernels) : most_kernels;
  int const launches = argc > 2 ? std::max(1, std::atoi(argv[2])) : 10'000;
  int const iterations = argc > 3 ? std::max(1, std::atoi(argv[3])) : 100'000;
  auto const n = static_cast<std::size_t>(iterations);
  Program const program{Kokkos::View<double*>("in", n), Kokkos::View<double*>("out", n), iterations};
  Kokkos::fence();
  double const cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), begin = seconds(CLOCK_MONOTONIC);
  for (int i = 0; i != launches; ++i) program.run(i % kernels, std::make_integer_sequence<int, most_kernels>{});
  Kokkos::fence();
  std::printf("%.4f %.3f\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, 1e6 * (seconds(CLOCK_MONOTONIC) - begin) / launches);
}
