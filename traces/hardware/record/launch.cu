// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What launching an empty kernel takes on the GPU at hand, in microseconds: one after the other without waiting, and each
/// waited for; medians of 50 rounds. And the clocks and the width that its memory's rate follows from.
///   nvcc -std=c++17 -arch=native launch.cu -o launch && ./launch
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

__global__ void empty() {}

template <class Round>
double median_microseconds(int launches, Round round) {
  std::vector<double> times;
  for (int i = 0; i < 55; ++i) {
    auto const begin = std::chrono::steady_clock::now();
    round();
    std::chrono::duration<double, std::micro> const time = std::chrono::steady_clock::now() - begin;
    if (i >= 5) times.push_back(time.count() / launches);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int main() {
  int clock = 0, memory_clock = 0, bus = 0, l2 = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
  cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0);
  cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
  cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0);
  constexpr int many = 1000;
  double const queued = median_microseconds(many, [] {
    for (int i = 0; i < many; ++i) empty<<<1, 32>>>();
    cudaDeviceSynchronize();
  });
  double const waited = median_microseconds(1, [] {
    empty<<<1, 32>>>();
    cudaDeviceSynchronize();
  });
  if (cudaError_t const status = cudaGetLastError(); status != cudaSuccess) {
    std::fprintf(stderr, "launch: %s\n", cudaGetErrorString(status));
    return 1;
  }
  std::printf("queued_us,waited_us,clock_khz,memory_clock_khz,bus_bits,l2_bytes\n%.2f,%.2f,%d,%d,%d,%d\n", queued, waited, clock,
              memory_clock, bus, l2);
}
