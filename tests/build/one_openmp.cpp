// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program, compiled like any that links Kokkos, that says how many OpenMP runtimes its process holds: there must be
// one, used by Kokkos and by the program's own OpenMP constructs alike.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <fstream>
#include <set>
#include <string>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1 << 20;
  double sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, n),
      KOKKOS_LAMBDA(int i, double& part) { part += i; }, sum);
  long own = 0;
#pragma omp parallel for reduction(+ : own)
  for (int i = 0; i < n; ++i) own += i;

  std::set<std::string> runtimes;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    auto const slash = line.rfind('/');
    if (slash == std::string::npos) continue;
    std::string const name = line.substr(slash + 1);
    if (name.find("libgomp") == 0 || name.find("libomp") == 0 || name.find("libiomp") == 0) {
      runtimes.insert(line.substr(line.find('/')));
    }
  }
  for (auto const& runtime : runtimes) std::printf("%s\n", runtime.c_str());
  bool const right = sum == 0.5 * n * (n - 1.0) && own == long(n) * (n - 1) / 2;
  std::printf("%zu OpenMP runtimes, results are %s\n", runtimes.size(), right ? "right" : "wrong");
  return right && runtimes.size() <= 1 ? 0 : 1;
}
