// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All four kinds on a device that has every aspect, in several contexts, each where it may be touched.
// OPTIONS: usm_aspects=system,atomic_host,atomic_shared
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

#include <vector>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  for (usm::Context const context : {usm::Context(), usm::Context::make(), usm::Context::make()}) {
    auto const queue = context.make_instance();
    int* const device = usm::malloc_device<int>(n, context);
    int* const shared = usm::malloc_shared<int>(n, context);
    std::vector<int, usm::Allocator<int, usm::Kind::host>> pinned(
        n, 1, usm::Allocator<int, usm::Kind::host>(context));
    int* const system = usm::malloc_system<int>(n);
    for (int i = 0; i < n; ++i) system[i] = shared[i] = i;
    usm::advise(queue, shared, n, usm::Advice::prefer_device);
    usm::prefetch(queue, shared, n);
    int* const host = pinned.data();
    Kokkos::parallel_for(
        "sum", Kokkos::RangePolicy(queue, 0, n / 2), KOKKOS_LAMBDA(int i) {
          device[i] = host[i] + system[i] + shared[i];
          Kokkos::atomic_inc(&shared[n / 2]);
        });
    system[n - 1] = shared[n - 1];  // another part: an H100 under Linux has concurrent access
    usm::copy(queue, device, shared, n / 2);
    queue.fence();
    for (int i = 1; i < n / 2; ++i)
      if (shared[i] != 2 * i + 1) return 1;
    if (usm::kind_of(shared + 5, context) != usm::Kind::shared) return 2;
    usm::free(device, context);
    usm::free(shared, context);
    usm::free(system, context);
  }
}
