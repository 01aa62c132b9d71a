// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first of SYCL 2020's two examples of unified shared memory (section 4.8), in Kokkos' words: a kernel
// fills device memory, and an explicit copy brings it to the host.
#include <teamsan/model/usm/Usm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 1024;
  Kokkos::DefaultExecutionSpace const queue;

  // Memory of the device, tied to the default context. The host must not touch it.
  int* const data = usm::malloc_device<int>(n, {}, "data");

  Kokkos::parallel_for(
      "rank numbers", Kokkos::RangePolicy(queue, 0, n), KOKKOS_LAMBDA(int i) { data[i] = i; });

  // In order with the kernel; both are asynchronous.
  int host[n];
  usm::copy(queue, data, host, n);
  queue.fence();

  for (int i = 0; i < n; ++i) std::printf("data[%d] = %d\n", i, host[i]);
  usm::free(data);
}
