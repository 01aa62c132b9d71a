// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that picks its space by macros, as Kokkos programs do that list the backends they know. What a test defines ahead
// says under which name it is checked.
#pragma once

#include "SimtHost.hpp"

#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_UnorderedMap.hpp>

#if defined(TEAMSAN_AS_CUDA) || defined(TEAMSAN_AS_HIP)
#include <thrust/device_ptr.h>
#include <thrust/sort.h>
#endif

#include <string>
#include <type_traits>

using simt_host::KokkosGuard;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

template <class Space>
struct Width {
  static constexpr int value = 1;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct Width<Kokkos::Cuda> {
  static constexpr int value = 32;
};
using Named = Kokkos::Cuda;
using NamedMemory = Kokkos::CudaSpace;
using NamedShared = Kokkos::CudaUVMSpace;
#endif
#ifdef KOKKOS_ENABLE_HIP
template <>
struct Width<Kokkos::HIP> {
  static constexpr int value = 64;
};
using Named = Kokkos::HIP;
using NamedMemory = Kokkos::HIPSpace;
using NamedShared = Kokkos::HIPManagedSpace;
#endif
#ifdef KOKKOS_ENABLE_SYCL
template <>
struct Width<Kokkos::SYCL> {
  static constexpr int value = 16;
};
using Named = Kokkos::SYCL;
using NamedMemory = Kokkos::SYCLDeviceUSMSpace;
using NamedShared = Kokkos::SYCLSharedUSMSpace;
#endif

// Options of that Kokkos which programs insist on.
#if defined(KOKKOS_ENABLE_CUDA_CONSTEXPR) && defined(KOKKOS_ENABLE_CUDA_LAMBDA) && \
    defined(KOKKOS_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE)
#elif defined(KOKKOS_ENABLE_HIP_RELOCATABLE_DEVICE_CODE) || defined(KOKKOS_ENABLE_SYCL_RELOCATABLE_DEVICE_CODE)
#else
#error "the Kokkos of that name lacks an option"
#endif

static_assert(std::is_same_v<Named, Kokkos::DefaultExecutionSpace>);
static_assert(std::is_same_v<NamedMemory, Named::memory_space>);
static_assert(std::is_same_v<NamedShared, Kokkos::SharedSpace>);

BOOST_AUTO_TEST_CASE(kernels_on_the_named_space_run_on_the_simulated_gpu) {
  BOOST_TEST(Width<Kokkos::DefaultExecutionSpace>::value == expected_width);
  BOOST_TEST(Width<Kokkos::DefaultHostExecutionSpace>::value == 1);
  BOOST_TEST(std::string(Named::name()) == "Simt");
#ifdef KOKKOS_ENABLE_CUDA
  auto const& device = Named().cuda_device_prop();
  BOOST_TEST(device.multiProcessorCount * device.maxThreadsPerMultiProcessor == Named::concurrency());
  BOOST_TEST(device.maxThreadsPerBlock >= device.warpSize);
#endif
#ifdef KOKKOS_ENABLE_HIP
  BOOST_TEST(Named().hip_device_prop().multiProcessorCount > 0);
#endif
  Kokkos::View<int*, NamedMemory> const cells("cells", 100);
  Kokkos::View<int, NamedShared> const lanes("lanes");
  Kokkos::Random_XorShift64_Pool<Named> const pool(5);
  Kokkos::parallel_for(
      "as named", Kokkos::RangePolicy<Named>(0, 100), KOKKOS_LAMBDA(int i) {
        auto state = pool.get_state();
        cells(i) = static_cast<int>(state.urand(7));
        pool.free_state(state);
        if (teamsan::in_kernel()) Kokkos::atomic_inc(&lanes());
      });
  Kokkos::fence();
  BOOST_TEST(lanes() == 100);
  int outside = 0;
  Kokkos::parallel_reduce(
      "outside", Kokkos::RangePolicy<Named>(0, 100),
      KOKKOS_LAMBDA(int i, int& count) { count += cells(i) < 0 || cells(i) > 6; }, outside);
  BOOST_TEST(outside == 0);
}

// A grid that lives in one variable of the device's, as some libraries keep it, also as a template.
struct Grid {
  double origin, step;
  int first, last;
};
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
__constant__ Grid constant_grid;
template <class Tag>
__constant__ Grid grid_of;
static __constant__ double weights[4] = {1, 2, 3, 4};
__device__ int visits;
struct Fine;

#ifdef KOKKOS_ENABLE_CUDA
#define VENDOR(name) cuda##name
#else
#define VENDOR(name) hip##name
#endif

BOOST_AUTO_TEST_CASE(lanes_read_what_the_host_copied_to_constant_memory) {
  Grid const grid{0.5, 0.25, 2, 90};
  BOOST_TEST(VENDOR(MemcpyToSymbol)(constant_grid, &grid, sizeof grid) == VENDOR(Success));
  BOOST_TEST(VENDOR(MemcpyToSymbol)(grid_of<Fine>, &grid, sizeof grid, 0, VENDOR(MemcpyHostToDevice)) == VENDOR(Success));
  BOOST_TEST(VENDOR(MemcpyToSymbol)(constant_grid, &grid, sizeof grid, 1) == VENDOR(ErrorInvalidValue));
  int const none = 0;
  BOOST_TEST(VENDOR(MemcpyToSymbol)(visits, &none, sizeof none) == VENDOR(Success));
  double sum = 0;
  Kokkos::parallel_reduce(
      "grid", 100,
      KOKKOS_LAMBDA(int i, double& add) {
        if (i < constant_grid.first || i >= grid_of<Fine>.last) return;
        add += constant_grid.origin + (i - 2) * grid_of<Fine>.step + weights[i % 4];
        Kokkos::atomic_inc(&visits);
      },
      sum);
  BOOST_TEST(sum == 88 * 0.5 + 0.25 * (87 * 88 / 2) + 22 * 10);
  int visited = 0;
  BOOST_TEST(VENDOR(MemcpyFromSymbol)(&visited, visits, sizeof visited) == VENDOR(Success));
  BOOST_TEST(visited == 88);
}

// Larger numbers first, what is equal modulo ten by the whole.
struct Descending {
  KOKKOS_FUNCTION bool operator()(int a, int b) const { return a % 10 != b % 10 ? a % 10 > b % 10 : a < b; }
};
BOOST_AUTO_TEST_CASE(thrust_sorts_elements_of_the_device) {
  int const n = 1000;
  Kokkos::View<int*, NamedMemory> const keys("keys", n);
  Kokkos::parallel_for("keys", n, KOKKOS_LAMBDA(int i) { keys(i) = (i * 377) % n; });
  auto const begin = thrust::device_pointer_cast(keys.data());
  BOOST_TEST(thrust::raw_pointer_cast(begin + 5) == keys.data() + 5);
  thrust::sort(begin, begin + n, Descending());  // of what the kernel stores, without a fence of the program's
  int wrong = 0;
  Kokkos::parallel_reduce(
      "by digit", n, KOKKOS_LAMBDA(int i, int& add) { add += keys(i) != 9 - i / 100 + 10 * (i % 100); }, wrong);
  BOOST_TEST(wrong == 0);
  thrust::sort(begin + 100, begin + 900);  // a part alone
  Kokkos::parallel_reduce(
      "rising",
      n, KOKKOS_LAMBDA(int i, int& add) {
        if (i < 100 || i >= 900) {
          add += keys(i) != 9 - i / 100 + 10 * (i % 100);
        } else {
          add += i > 100 && keys(i - 1) >= keys(i);
        }
      },
      wrong);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(one_device_with_properties_and_memory) {
  int count = 0, width = 0;
  BOOST_TEST(VENDOR(GetDeviceCount)(&count) == VENDOR(Success));
  BOOST_TEST(count == 1);
  BOOST_TEST(VENDOR(SetDevice)(1) == VENDOR(ErrorInvalidDevice));
#ifdef KOKKOS_ENABLE_CUDA
  cudaDeviceProp properties;
  BOOST_TEST(cudaDeviceGetAttribute(&width, cudaDevAttrWarpSize, 0) == cudaSuccess);
#else
  hipDeviceProp_t properties;
  BOOST_TEST(hipDeviceGetAttribute(&width, hipDeviceAttributeWarpSize, 0) == hipSuccess);
#endif
  BOOST_TEST(VENDOR(GetDeviceProperties)(&properties, 0) == VENDOR(Success));
  BOOST_TEST(properties.warpSize == width);
  std::size_t before = 0, after = 0, total = 0;
  BOOST_TEST(VENDOR(MemGetInfo)(&before, &total) == VENDOR(Success));
  BOOST_TEST(total == properties.totalGlobalMem);
  Kokkos::View<double*> const taken("taken", 1 << 20);
  VENDOR(MemGetInfo)(&after, &total);
  BOOST_TEST(before - after >= (sizeof(double) << 20));
  BOOST_TEST(before - after < (sizeof(double) << 20) + 4096);
  std::size_t stack = 0;
  BOOST_TEST(VENDOR(DeviceSetLimit)(VENDOR(LimitStackSize), 4096) == VENDOR(Success));
  BOOST_TEST(VENDOR(DeviceGetLimit)(&stack, VENDOR(LimitStackSize)) == VENDOR(Success));
  BOOST_TEST(stack == 4096u);
  BOOST_TEST(std::string(VENDOR(GetErrorString)(VENDOR(GetLastError)())) == "success");
}

BOOST_AUTO_TEST_CASE(streams_are_instances) {
#ifdef KOKKOS_ENABLE_CUDA
  auto const stream_of = [](Named const& space) { return space.cuda_stream(); };
#else
  auto const stream_of = [](Named const& space) { return space.hip_stream(); };
#endif
  BOOST_TEST((stream_of(Named()) == nullptr));
  VENDOR(Stream_t) stream;
  BOOST_TEST(VENDOR(StreamCreate)(&stream) == VENDOR(Success));
  Named const of_stream(stream);
  BOOST_TEST((stream_of(of_stream) == stream));
  BOOST_TEST(!(of_stream == Named()));
  Kokkos::View<int*> const cells("cells", 100);
  Kokkos::parallel_for(
      "on_stream", Kokkos::RangePolicy<Named>(of_stream, 0, 100), KOKKOS_LAMBDA(int i) { cells(i) = i; });
  BOOST_TEST(VENDOR(StreamSynchronize)(stream) == VENDOR(Success));
  BOOST_TEST(VENDOR(StreamDestroy)(stream) == VENDOR(Success));
  BOOST_TEST(VENDOR(DeviceSynchronize)() == VENDOR(Success));
}
#endif

#ifdef KOKKOS_ENABLE_SYCL
SYCL_EXTERNAL sycl::ext::oneapi::experimental::device_global<Grid> global_grid;
template <class Tag>
SYCL_EXTERNAL inline sycl::ext::oneapi::experimental::device_global<Grid> grid_of;
struct Fine;

BOOST_AUTO_TEST_CASE(lanes_read_what_the_host_copied_to_a_device_global) {
  Grid const grid{0.5, 0.25, 2, 90};
  sycl::queue queue = Named().sycl_queue();
  queue.memcpy(global_grid, &grid).wait();
  queue.memcpy(grid_of<Fine>, &grid, sizeof grid).wait();
  double sum = 0;
  Kokkos::parallel_reduce(
      "grid", 100,
      KOKKOS_LAMBDA(int i, double& add) {
        if (i >= global_grid.get().first && i < grid_of<Fine>.get().last) add += global_grid.get().step;
      },
      sum);
  BOOST_TEST(sum == 22.0);
  Grid back{};
  queue.memcpy(&back, global_grid).wait();
  BOOST_TEST(back.last == 90);
}

BOOST_AUTO_TEST_CASE(queues_are_instances) {
  sycl::queue queue;
  Named const of_queue(queue);
  BOOST_TEST((of_queue.sycl_queue() == queue));
  BOOST_TEST((Named().sycl_queue() == Named().sycl_queue()));
  BOOST_TEST(!(Named().sycl_queue() == queue));
  BOOST_TEST(queue.get_device().is_gpu());
  BOOST_TEST(queue.get_device().get_info<sycl::info::device::max_work_group_size>() > 0u);
  queue.wait();
}
#endif
