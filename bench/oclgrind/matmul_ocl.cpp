// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul_ocl KERNEL_FILE N: runs matmul.cl once on the first OpenCL device and prints the seconds that the
// kernel took. Started as `oclgrind --data-races --uninitialized matmul_ocl ...` it is what TeamSan's matmul
// is compared with.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

void check(cl_int error, char const* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "matmul_ocl: %s failed with OpenCL error %d\n", what, error);
  std::exit(2);
}

}  // namespace

int main(int argc, char* argv[]) {
  cl_int const n = argc == 3 ? std::atoi(argv[2]) : 0;
  if (n <= 0 || n % 16 != 0) {
    std::fprintf(stderr, "usage: matmul_ocl KERNEL_FILE N, with N a multiple of 16\n");
    return 2;
  }
  std::ifstream file(argv[1]);
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) {
    std::fprintf(stderr, "matmul_ocl: cannot read %s\n", argv[1]);
    return 2;
  }
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_int error = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context const context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  cl_command_queue const queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  char const* source = text.c_str();
  cl_program const program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel const kernel = clCreateKernel(program, "matmul", &error);
  check(error, "clCreateKernel");

  std::size_t const bytes = sizeof(float) * n * n;
  std::vector<float> a(std::size_t(n) * n, 1.0f), b(a.size(), 2.0f), c(a.size(), 0.0f);
  cl_mem_flags const copied = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
  cl_mem buffer_a = clCreateBuffer(context, copied, bytes, a.data(), &error);
  check(error, "clCreateBuffer");
  cl_mem buffer_b = clCreateBuffer(context, copied, bytes, b.data(), &error);
  check(error, "clCreateBuffer");
  cl_mem buffer_c = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, nullptr, &error);
  check(error, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof buffer_a, &buffer_a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof buffer_b, &buffer_b), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof buffer_c, &buffer_c), "clSetKernelArg");
  check(clSetKernelArg(kernel, 3, sizeof n, &n), "clSetKernelArg");

  std::size_t const global[2] = {std::size_t(n), std::size_t(n)}, local[2] = {16, 16};
  auto const begin = std::chrono::steady_clock::now();
  check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - begin;
  check(clEnqueueReadBuffer(queue, buffer_c, CL_TRUE, 0, bytes, c.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  if (c.front() != 2.0f * n || c.back() != 2.0f * n) {
    std::fprintf(stderr, "matmul_ocl: wrong result\n");
    return 1;
  }
  std::printf("%.6f\n", seconds.count());
}
