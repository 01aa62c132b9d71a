// A program that picks its space by macros, as Kokkos programs do that list the backends they know. What a test defines ahead
// says under which name it is checked.
#pragma once

#include "SimtHost.hpp"

#include <Kokkos_Random.hpp>
#include <Kokkos_ScatterView.hpp>
#include <Kokkos_UnorderedMap.hpp>

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
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
