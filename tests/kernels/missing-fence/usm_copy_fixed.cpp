// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The instance of the copy is fenced first.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::DefaultExecutionSpace const queue;
  int* const x = usm::malloc_device<int>(n);
  int* const host = usm::malloc_host<int>(n);
  usm::fill_bytes(queue, x, 0, n);
  usm::copy(queue, x, host, n);
  queue.fence();
  int const first = host[0];
  usm::free(x);
  usm::free(host);
  return first;
}
