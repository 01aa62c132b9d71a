// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times the kernels of Kernels.hpp. Built twice from the same sources: bench_fibers without instrumentation,
// which is lanes as fibers and nothing else, and bench_checked with all checks on. Counters: accesses by
// lanes in one run, bytes of device memory touched, peak resident memory of the process in bytes up to the
// kernel's end (run one benchmark a process to read it).
#include "Kernels.hpp"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

namespace {

using namespace teamsan::bench;

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

template <class Kernel>
void time(benchmark::State& state) {
  Kernel const kernel(static_cast<int>(state.range(0)));
  for (auto _ : state) kernel.run();
  double const peak = peak_memory();  // before the result is copied to the host
  if (!kernel.right()) state.SkipWithError("wrong result");
  state.counters["accesses"] = kernel.accesses();
  state.counters["device_bytes"] = kernel.bytes();
  state.counters["peak_bytes"] = peak;
}

}  // namespace

// Sizes: matmul 128, 256, 512 are compared with other tools; 80, 176, 368, 800 make 10^6 to 10^9 accesses.
// The large ones of transpose and stencil touch half a gigabyte of device memory. Leagues of 4,096 teams: matmul 1024,
// tree_reduction, transpose 2048, stencil 1024. One matmul 2048 takes minutes. Of `neighbours` a name has the team's threads
// and vector lanes.
BENCHMARK(time<Matmul>)
    ->Name("matmul")
    ->Arg(80)
    ->Arg(128)
    ->Arg(176)
    ->Arg(256)
    ->Arg(368)
    ->Arg(512)
    ->Arg(800)
    ->Arg(1024)
    ->Arg(2048)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(time<TreeReduction>)
    ->Name("tree_reduction")
    ->Arg(1 << 20)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(time<Transpose>)
    ->Name("transpose")
    ->Arg(1024)
    ->Arg(2048)
    ->Arg(8192)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(time<Stencil>)
    ->Name("stencil")
    ->Arg(1024)
    ->Arg(8192)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(time<Neighbours<1, 1>>)
    ->Name("neighbours_1x1")
    ->Arg(8000)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(time<Neighbours<8, 4>>)
    ->Name("neighbours_8x4")
    ->Arg(8000)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(time<Axpy>)->Name("axpy")->Arg(5000000)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMillisecond);

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
