// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the headers of backends/native cost a production build: the same kernels, built twice from this file,
// with WITH_NATIVE and without. With it the program asks which device it runs on and takes a checkpoint after
// each run of a kernel, which writes nothing unless TEAMSAN_CHECKPOINTS is set.
//   overhead_plain | overhead_native [RUNS]      (200)
// Prints a line a kernel: name, median and quartiles of the time of a run (launch, kernel, fence) in
// microseconds.
#include "../Kernels.hpp"

#ifdef WITH_NATIVE
#include <teamsan/native/Backend.hpp>
#include <teamsan/native/Checkpoint.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace teamsan::bench;

template <class Kernel>
void time(char const* name, int n, int runs) {
  Kernel const kernel(n);
  Kokkos::View<double*> const state("state", 16);
  std::vector<double> times;
  for (int i = 0; i < runs + 10; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    kernel.run();
#ifdef WITH_NATIVE
    teamsan::checkpoint("state", state);
#endif
    if (i >= 10)  // the first ten warm up
      times.push_back(
          std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  std::printf("%s %d %.3f %.3f %.3f\n", name, n, times[times.size() / 2], times[times.size() / 4],
              times[times.size() * 3 / 4]);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
#ifdef WITH_NATIVE
  std::fprintf(stderr, "%s, model %s\n", teamsan::native::device_name().c_str(),
               std::string(teamsan::native::device_model()).c_str());
#endif
  time<Matmul>("matmul", 1024, runs);
  time<TreeReduction>("tree_reduction", 1 << 24, runs);
  time<Transpose>("transpose", 8192, runs);
  time<Stencil>("stencil", 8192, runs);
}
