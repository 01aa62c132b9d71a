// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own oneTBB: as wide as the program says before, while and after kernels run, also launched from its tasks.
#include <Kokkos_Core.hpp>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

constexpr auto parallelism = tbb::global_control::max_allowed_parallelism;

void expect(bool true_, char const* what) {
  if (true_) return;
  std::printf("not so: %s\n", what);
  std::fflush(stdout);
  std::_Exit(9);
}

// Ends when so many threads are in the program's arena at a time.
void meet(unsigned width) {
  tbb::task_arena arena(static_cast<int>(width));
  std::atomic<unsigned> there{0};
  arena.execute([&] {
    tbb::task_group group;
    for (unsigned i = 0; i != width; ++i)
      group.run([&] {
        ++there;
        while (there != width) std::this_thread::yield();
      });
    group.wait();
  });
}

// What the program's oneTBB is allowed while a kernel runs.
std::size_t launch() {
  Kokkos::View<std::size_t*> allowed("allowed", 64);
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for("asks", 64, KOKKOS_LAMBDA(int i) {
    allowed(i) = tbb::global_control::active_value(parallelism);
    x(i / 8) += 1;
  });
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, allowed);
  std::size_t least = host(0);
  for (int i = 1; i != 64; ++i) least = std::min(least, host(i));
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::size_t const own = tbb::global_control::active_value(parallelism);
  tbb::task_arena(1).execute([&] { expect(launch() >= own, "launched from an arena of one, a kernel leaves others' width"); });
  expect(launch() >= own, "a kernel leaves the default width, or widens it while it runs");
  expect(tbb::global_control::active_value(parallelism) == own, "after kernels the default width is as before");
  {
    unsigned const width = static_cast<unsigned>(own) + 3;
    tbb::global_control const wide(parallelism, width);
    std::thread beside([&] {
      for (int i = 0; i != 4; ++i) meet(width);
    });
    for (int i = 0; i != 4; ++i) expect(launch() == width, "while a kernel runs, the program has the width that it asked for");
    beside.join();
    meet(width);
  }
  {
    tbb::global_control const narrow(parallelism, 1);
    expect(launch() == 1, "a kernel does not widen what the program keeps narrow");
  }
  expect(tbb::global_control::active_value(parallelism) == own, "at the end the default width is as before");
  std::puts("all threads met, the kernels ran");
}
