// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose lanes idle and whose data are used again, each in its own way: what their warps' active lanes and the caches'
// hits are on a GPU stands beside what the simulated one says (traces/hardware/record/costs.py). Each runs once.
//   costs [KERNEL]
// Ends with 1 if a result is wrong.
#include "../Kernels.hpp"

#include <cstdio>
#include <string>

namespace {

using namespace teamsan::bench;

constexpr int many = 4'000'003;  // no multiple of a warp; 32 MB of doubles
using Values = Kokkos::View<double*>;
using Indices = Kokkos::View<int*>;

KOKKOS_INLINE_FUNCTION unsigned mixed(unsigned i) {
  i ^= i >> 16, i *= 0x7feb352du, i ^= i >> 15, i *= 0x846ca68bu;
  return i ^ i >> 16;
}

double last_of(Values const& values) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values)(values.extent(0) - 1);
}

Values ones(char const* label, int n) {
  Values const values(std::string(label), static_cast<std::size_t>(n));
  Kokkos::deep_copy(values, 1.0);
  return values;
}

bool axpy() {
  Values const x = ones("x", many), y = ones("y", many);
  Kokkos::parallel_for("axpy", many, KOKKOS_LAMBDA(int i) { y(i) += 2.0 * x(i); });
  return last_of(y) == 3;
}

bool dot() {
  Values const x = ones("x", many), y = ones("y", many);
  double sum = 0;
  Kokkos::parallel_reduce("dot", many, KOKKOS_LAMBDA(int i, double& value) { value += x(i) * y(i); }, sum);
  return sum == many;
}

bool scan() {
  Values const x = ones("x", many), y("y", many);
  Kokkos::parallel_scan(
      "scan", many, KOKKOS_LAMBDA(int i, double& value, bool last) {
        value += x(i);
        if (last) y(i) = value;
      });
  return last_of(y) == many;
}

bool every_third() {
  Values const x = ones("x", many), y("y", many);
  Kokkos::parallel_for("every_third", many, KOKKOS_LAMBDA(int i) {
    if (i % 3 == 0) y(i) = x(i);
  });
  return last_of(y) == ((many - 1) % 3 == 0);
}

bool loops_of_all_lengths() {
  constexpr int n = 1 << 18;
  Values const x = ones("x", n + 32), y("y", n);
  Kokkos::parallel_for("loops_of_all_lengths", n, KOKKOS_LAMBDA(int i) {
    for (int j = 0; j <= i % 32; ++j) y(i) += x(i + j);
  });
  return last_of(y) == 32;
}

bool triangle() {
  constexpr int n = 2048;
  Kokkos::View<float**> const a("a", n, n);
  Kokkos::deep_copy(a, 1.0f);
  Values const sums("sums", n);
  Kokkos::parallel_for("triangle", n, KOKKOS_LAMBDA(int i) {
    double sum = 0;
    for (int j = 0; j <= i; ++j) sum += a(i, j);
    sums(i) = sum;
  });
  return last_of(sums) == n;
}

bool gather(char const* label, int table_size) {
  constexpr int n = 1 << 21;
  Values const table = ones("table", table_size), out("out", n);
  Kokkos::parallel_for(label, n, KOKKOS_LAMBDA(int i) {
    out(i) = table(static_cast<int>(mixed(static_cast<unsigned>(i)) % static_cast<unsigned>(table_size)));
  });
  return last_of(out) == 1;
}
bool gather_from_little() { return gather("gather_from_little", 1 << 17); }  // 1 MiB
bool gather_from_much() { return gather("gather_from_much", 1 << 24); }      // 128 MiB

bool row_a_lane() {
  constexpr int rows = 1 << 16, columns = 64;
  Kokkos::View<float**, Kokkos::LayoutRight> const a("a", rows, columns);
  Kokkos::deep_copy(a, 1.0f);
  Values const sums("sums", rows);
  Kokkos::parallel_for("row_a_lane", rows, KOKKOS_LAMBDA(int i) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += a(i, j);
    sums(i) = sum;
  });
  return last_of(sums) == columns;
}

bool stencil_3d() {
  constexpr int n = 160;
  using Grid = Kokkos::View<float***>;
  Grid const u("u", n, n, n), next("next", n, n, n);
  Kokkos::deep_copy(u, 1.0f);
  Kokkos::parallel_for(
      "stencil_3d", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({1, 1, 1}, {n - 1, n - 1, n - 1}),
      KOKKOS_LAMBDA(int i, int j, int k) {
        next(i, j, k) = u(i - 1, j, k) + u(i + 1, j, k) + u(i, j - 1, k) + u(i, j + 1, k) + u(i, j, k - 1) + u(i, j, k + 1);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), next);
  return host(1, 1, 1) == 6 && host(n - 2, n - 2, n - 2) == 6;
}

/// A matrix of 5 to 44 entries a row, near the diagonal.
struct Sparse {
  static constexpr int rows = 100'000;
  Indices first{"first", rows + 1}, column;
  Values entry;
  Sparse() {
    auto const host = Kokkos::create_mirror_view(first);
    for (int i = 0; i < rows; ++i) host(i + 1) = host(i) + 5 + static_cast<int>(mixed(static_cast<unsigned>(i)) % 40);
    Kokkos::deep_copy(first, host);
    column = Indices("column", static_cast<std::size_t>(host(rows)));
    entry = ones("entry", host(rows));
    auto const columns = Kokkos::create_mirror_view(column);
    for (int i = 0; i < rows; ++i)
      for (int k = host(i); k < host(i + 1); ++k)
        columns(k) = (i + static_cast<int>(mixed(static_cast<unsigned>(k)) % 1000)) % rows;
    Kokkos::deep_copy(column, columns);
  }
};

bool spmv_row_a_lane() {
  Sparse const a;
  Values const x = ones("x", a.rows), y("y", a.rows);
  Kokkos::parallel_for("spmv_row_a_lane", a.rows, KOKKOS_LAMBDA(int i) {
    double sum = 0;
    for (int k = a.first(i); k < a.first(i + 1); ++k) sum += a.entry(k) * x(a.column(k));
    y(i) = sum;
  });
  return last_of(y) == 5 + mixed(a.rows - 1) % 40;
}

bool spmv_row_a_thread() {
  Sparse const a;
  Values const x = ones("x", a.rows), y("y", a.rows);
  constexpr int threads = 32, length = 8;
  Kokkos::parallel_for(
      "spmv_row_a_thread", Policy(a.rows / threads, threads, length), KOKKOS_LAMBDA(Member const& team) {
        int const i = team.league_rank() * threads + team.team_rank(), begin = a.first(i);
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, a.first(i + 1) - begin),
            [&](int k, double& value) { value += a.entry(begin + k) * x(a.column(begin + k)); }, sum);
        Kokkos::single(Kokkos::PerThread(team), [&] { y(i) = sum; });
      });
  return last_of(y) == 5 + mixed(a.rows - 1) % 40;
}

bool short_vectors() {
  constexpr int league = 2048, threads = 8, length = 20;
  Kokkos::View<double***, Kokkos::LayoutRight> const a("a", league, threads, length);
  Kokkos::parallel_for("short_vectors", Policy(league, threads, 32), KOKKOS_LAMBDA(Member const& team) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, length),
                         [&](int i) { a(team.league_rank(), team.team_rank(), i) += i; });
  });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  return host(league - 1, threads - 1, length - 1) == length - 1;
}

bool range_of_100() {
  constexpr int league = 8192, n = 100;
  Kokkos::View<double**, Kokkos::LayoutRight> const a("a", league, n);
  Kokkos::parallel_for("range_of_100", Policy(league, 64), KOKKOS_LAMBDA(Member const& team) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { a(team.league_rank(), i) += i; });
  });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  return host(league - 1, n - 1) == n - 1;
}

bool teams_of_48() {
  constexpr int league = 16384, threads = 48;
  Values const a("a", league * threads);
  Kokkos::parallel_for("teams_of_48", Policy(league, threads), KOKKOS_LAMBDA(Member const& team) {
    a(team.league_rank() * threads + team.team_rank()) += 1;
  });
  return last_of(a) == 1;
}

bool one_writes() {
  constexpr int league = 16384, threads = 64;
  Values const a = ones("a", league * threads), b("b", league);
  Kokkos::parallel_for("one_writes", Policy(league, threads), KOKKOS_LAMBDA(Member const& team) {
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, threads),
        [&](int i, double& value) { value += a(team.league_rank() * threads + i); }, sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { b(team.league_rank()) = sum; });
  });
  return last_of(b) == threads;
}

bool histogram() {
  constexpr int n = 1 << 20, bins = 256;
  Kokkos::View<int*> const counts("counts", bins);
  Kokkos::parallel_for("histogram", n, KOKKOS_LAMBDA(int i) {
    Kokkos::atomic_inc(&counts(mixed(static_cast<unsigned>(i)) % bins));
  });
  int sum = 0;
  Kokkos::parallel_reduce("sum of bins", bins, KOKKOS_LAMBDA(int i, int& value) { value += counts(i); }, sum);
  return sum == n;
}

bool table_a_team() {
  constexpr int league = 2048, threads = 128, size = 8192;  // each team reads all of 64 KiB
  Values const table = ones("table", size), out("out", league);
  Kokkos::parallel_for("table_a_team", Policy(league, threads), KOKKOS_LAMBDA(Member const& team) {
    double sum = 0;
    for (int i = team.team_rank(); i < size; i += threads) sum += table(i);
    if (sum != size / threads) out(team.league_rank()) = sum;
  });
  return last_of(out) == 0;
}

bool binary_search() {
  constexpr int n = 1 << 20, size = 1 << 21;
  Values const sorted("sorted", size);
  Kokkos::parallel_for("sorted", size, KOKKOS_LAMBDA(int i) { sorted(i) = i; });
  Indices const found("found", n);
  Kokkos::parallel_for("binary_search", n, KOKKOS_LAMBDA(int i) {
    double const wanted = mixed(static_cast<unsigned>(i)) % size;
    int low = 0, high = size;
    while (high - low > 1) {
      int const middle = (low + high) / 2;
      if (sorted(middle) <= wanted) low = middle;
      else high = middle;
    }
    found(i) = low;
  });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return host(n - 1) == static_cast<int>(mixed(n - 1) % size);
}

template <class Kernel>
bool run(int n) {
  Kernel const kernel(n);
  kernel.run();
  return kernel.right();
}

bool matmul() { return run<Matmul>(512); }
bool transpose() { return run<Transpose>(2048); }
bool tree_reduction() { return run<TreeReduction>(1 << 22); }
bool stencil() { return run<Stencil>(2048); }

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  std::string const only = argc > 1 ? argv[1] : "";
  struct {
    char const* name;
    bool (*run)();
  } const kernels[] = {{"axpy", axpy},
                       {"dot", dot},
                       {"scan", scan},
                       {"every_third", every_third},
                       {"loops_of_all_lengths", loops_of_all_lengths},
                       {"triangle", triangle},
                       {"gather_from_little", gather_from_little},
                       {"gather_from_much", gather_from_much},
                       {"row_a_lane", row_a_lane},
                       {"stencil_3d", stencil_3d},
                       {"spmv_row_a_lane", spmv_row_a_lane},
                       {"spmv_row_a_thread", spmv_row_a_thread},
                       {"short_vectors", short_vectors},
                       {"range_of_100", range_of_100},
                       {"teams_of_48", teams_of_48},
                       {"one_writes", one_writes},
                       {"histogram", histogram},
                       {"table_a_team", table_a_team},
                       {"binary_search", binary_search},
                       {"matmul", matmul},
                       {"transpose", transpose},
                       {"tree_reduction", tree_reduction},
                       {"stencil", stencil}};
  bool right = true, known = only.empty();
  for (auto const& kernel : kernels) {
    if (!only.empty() && only != kernel.name) continue;
    known = true;
    if (kernel.run()) continue;
    std::printf("costs: %s: wrong result\n", kernel.name);
    right = false;
  }
  if (!known) std::printf("costs: no kernel of that name\n");
  return right && known ? 0 : 1;
}
