// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a flat kernel costs for each access: streaming, stencil, gather, SpMV, lists of neighbours, dot, scan, atomics, and
// lanes and launches that do nothing. One source, built checked and, for ThreadSanitizer and natively, as plain Kokkos::OpenMP
// (bench/CMakeLists.txt).
//   bench_flat_checked|bench_flat_tsan|bench_flat_native [REPETITIONS [KERNEL [ITERATIONS [INSTANCES]]]]
//   INSTANCES (1): execution space instances that the program has; kernels are launched in the default one
//   "kernel cpu_ns_each elapsed_ns_each" a line, of the fastest repetition each
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string_view>
#include <vector>

namespace {

int repetitions = 5, iterations = 300'000;
std::string_view only;

double seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// `count`: accesses, lanes or launches of one call.
template <class F>
void measure(char const* name, double count, F f) {
  if (!only.empty() && only != name) return;
  double cpu = std::numeric_limits<double>::max(), elapsed = cpu;
  for (int i = 0; i != repetitions; ++i) {
    double const cpu_begin = seconds(CLOCK_PROCESS_CPUTIME_ID), begin = seconds(CLOCK_MONOTONIC);
    f();
    Kokkos::fence();
    cpu = std::min(cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_begin);
    elapsed = std::min(elapsed, seconds(CLOCK_MONOTONIC) - begin);
  }
  std::printf("%s %.3f %.3f\n", name, 1e9 * cpu / count, 1e9 * elapsed / count);
}

void run() {
  using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  int const n = iterations, m = static_cast<int>(Kokkos::sqrt(1.0 * n)), bins = 1024, launches = 1000;
  Kokkos::View<double*> x("x", n), y("y", n), values("values", 7 * n);
  Kokkos::View<int*> columns("columns", 7 * n), histogram("histogram", bins);
  Kokkos::View<double**> u("u", m, m), v("v", m, m);
  Kokkos::parallel_for(
      "columns", n, KOKKOS_LAMBDA(int i) {
        for (int k = 0; k < 7; ++k) columns(i * 7 + k) = (i + (k - 3) * 611 + n) % n;
      });

  measure("store", n, [&] { Kokkos::parallel_for("store", n, KOKKOS_LAMBDA(int i) { x(i) = i; }); });
  measure("axpy", 3.0 * n, [&] { Kokkos::parallel_for("axpy", n, KOKKOS_LAMBDA(int i) { y(i) += 2.0 * x(i); }); });
  measure("stencil", 6.0 * (m - 2) * (m - 2), [&] {
    Kokkos::parallel_for(
        "stencil", Grid({1, 1}, {m - 1, m - 1}), KOKKOS_LAMBDA(int i, int j) {
          v(i, j) = 0.2 * (u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1));
        });
  });
  measure("gather", 9.0 * n, [&] {
    Kokkos::parallel_for(
        "gather", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (unsigned k = 0; k < 8; ++k) sum += x((static_cast<unsigned>(i) * 977u + k * 12347u) % n);
          y(i) = sum;
        });
  });
  measure("spmv", 22.0 * n, [&] {
    Kokkos::parallel_for(
        "spmv", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = 0; k < 7; ++k) sum += values(i * 7 + k) * x(columns(i * 7 + k));
          y(i) = sum;
        });
  });
  {  // as in molecular dynamics: rows of 30 to 49, of which nothing behind their last one is written
    int const atoms = n / 10, most = 64;
    Kokkos::View<int**, Kokkos::LayoutLeft> const list(Kokkos::view_alloc("list", Kokkos::WithoutInitializing), atoms, most);
    Kokkos::View<int*> const count("count", atoms);
    Kokkos::parallel_for(
        "list", atoms, KOKKOS_LAMBDA(int i) {
          count(i) = 30 + i % 20;
          for (int k = 0; k < count(i); ++k) list(i, k) = (i + 13 * k + 1) % atoms;
        });
    measure("neighbours", 2.0 * 39.5 * atoms, [&] {
      Kokkos::parallel_for(
          "neighbours", atoms, KOKKOS_LAMBDA(int i) {
            double const at = x(i);
            double sum = 0;
            for (int k = 0; k < count(i); ++k) sum += at - x(list(i, k));
            y(i) += sum;
          });
    });
  }
  measure("dot", 2.0 * n, [&] {
    double sum = 0;
    Kokkos::parallel_reduce("dot", n, KOKKOS_LAMBDA(int i, double& s) { s += x(i) * y(i); }, sum);
  });
  measure("scan", 2.0 * n, [&] {
    Kokkos::parallel_scan(
        "scan", n, KOKKOS_LAMBDA(int i, double& s, bool last) {
          s += x(i);
          if (last) y(i) = s;
        });
  });
  measure("histogram", 2.0 * n, [&] {
    Kokkos::parallel_for(
        "histogram", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&histogram(columns(i) % bins), 1); });
  });
  measure("atomic-double", n, [&] {
    Kokkos::parallel_for(
        "atomic-double", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&y((static_cast<unsigned>(i) * 7919u) % n), 1.0); });
  });
  measure("append", 2.0 * n, [&] {
    Kokkos::deep_copy(histogram, 0);
    Kokkos::parallel_for(
        "append", n, KOKKOS_LAMBDA(int i) { y(Kokkos::atomic_fetch_add(&histogram(0), 1)) = i; });
  });
  measure("reread", 9.0 * n, [&] {
    Kokkos::parallel_for(
        "reread", n, KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = 0; k < 8; ++k) sum += x(k);
          y(i) = sum;
        });
  });
  measure("empty-lane", n, [&] { Kokkos::parallel_for("empty", n, KOKKOS_LAMBDA(int){}); });
  measure("empty-launch", launches, [&] {
    for (int i = 0; i != launches; ++i) Kokkos::parallel_for("empty", 1, KOKKOS_LAMBDA(int){});
  });
  measure("allocation", launches, [&] {
    for (int i = 0; i != launches; ++i) Kokkos::View<double*> const view("view", 1000);
  });
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const scope(argc, argv);
  if (argc > 1) repetitions = std::max(1, std::atoi(argv[1]));
  if (argc > 2) only = argv[2];
  if (argc > 3) iterations = std::max(9, std::atoi(argv[3]));
  std::vector<Kokkos::DefaultExecutionSpace> others;
  for (int i = argc > 4 ? std::atoi(argv[4]) : 1; i > 1; --i)
    others.push_back(Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1)[0]);
  run();
}
