// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many blocks of a kernel a multiprocessor holds at a time, as CUDA's own calculator has it for the GPU at hand
/// (cudaOccupancyMaxActiveBlocksPerMultiprocessor): a CSV row for each of about 400 launches. `carveout` is what
/// cudaFuncAttributePreferredSharedMemoryCarveout was set to; -1: left alone.
///   nvcc -std=c++17 -arch=native occupancy.cu -o occupancy && ./occupancy > h100_occupancy.csv
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t const status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                 \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

/// Keeps `Live` values at a time, within Registers registers.
template <int Registers, int Live>
__global__ void __maxnreg__(Registers) kernel(float* data, int rounds) {
  extern __shared__ float shared[];
  float v[Live];
  for (int i = 0; i < Live; ++i) v[i] = data[threadIdx.x + i];
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < Live; ++i) v[i] = v[i] * v[(i + 7) % Live] + v[(i * 5 + 3) % Live];
  for (int i = 0; i < Live; ++i) data[threadIdx.x + i] = v[i];
  if (rounds < 0) data[0] = shared[threadIdx.x];
}

template <class Kernel>
void record(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int optin = 0;
  CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
  int const threads[] = {32, 64, 96, 128, 160, 224, 256, 384, 512, 544, 768, 1024};
  int const shared[] = {0, 1, 1000, 1024, 3000, 6160, 8192, 12345, 16384, 24576, 33000, 49152, 57344, 66000, 75776, 99328,
                        116224, 140000, 166912, 200000, 231424, 232448};
  int row = 0;
  for (int const t : threads)
    for (int const s : shared) {
      if (row++ % 5 != attributes.numRegs % 5) continue;  // a fifth of them for each kernel
      for (int const carveout : {-1, 100}) {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout));
        int blocks = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, t, s));
        std::printf("%d,%d,%d,%d,%d\n", t, attributes.numRegs, s, carveout, blocks);
      }
    }
}

int main() {
  std::printf("threads,registers,shared_bytes,carveout,blocks\n");
  record(kernel<24, 4>);
  record(kernel<32, 24>);
  record(kernel<48, 40>);
  record(kernel<64, 60>);
  record(kernel<80, 70>);
  record(kernel<96, 100>);
  record(kernel<128, 140>);
  record(kernel<255, 260>);
}
