// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL twin of Matmul in ../Kernels.cpp: 16x16 tiles in local memory, both barriers.
#define WIDTH 16

__kernel void matmul(__global float const* a, __global float const* b, __global float* c, int n) {
  __local float as[WIDTH][WIDTH];
  __local float bs[WIDTH][WIDTH];
  int const tx = get_local_id(0), ty = get_local_id(1);
  int const column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (int block = 0; block < n / WIDTH; ++block) {
    as[ty][tx] = a[row * n + block * WIDTH + tx];
    bs[ty][tx] = b[(block * WIDTH + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < WIDTH; ++k) sum += as[ty][k] * bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
