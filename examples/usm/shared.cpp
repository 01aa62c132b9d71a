// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second of SYCL 2020's two examples of unified shared memory (section 4.8), in Kokkos' words: kernel and
// host use one shared allocation, whose pages move to whoever touches them. malloc_host in place of
// malloc_shared is right too: then nothing moves. With the argument "prefetch" the pages are sent ahead.
#include <teamsan/model/usm/Usm.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 1024;
  Kokkos::DefaultExecutionSpace const queue;
  bool const prefetch = argc > 1 && std::strcmp(argv[1], "prefetch") == 0;

  // Memory that both sides may touch, tied to the default context.
  int* const data = usm::malloc_shared<int>(n, {}, "data");
  for (int i = 0; i < n; ++i) data[i] = 0;

  if (prefetch) usm::prefetch(queue, data, n);
  Kokkos::parallel_for(
      "rank numbers", Kokkos::RangePolicy(queue, 0, n), KOKKOS_LAMBDA(int i) { data[i] += i; });
  if (prefetch) usm::prefetch_to_host(queue, data, n);

  // Nothing else makes the host wait for the kernel.
  queue.fence();

  for (int i = 0; i < n; ++i) std::printf("data[%d] = %d\n", i, data[i]);
  usm::free(data);
}
