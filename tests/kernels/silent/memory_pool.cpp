// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Lanes take blocks from a Kokkos::MemoryPool, use them, and give them back to others.
#include <Kokkos_Core.hpp>

using Pool = Kokkos::MemoryPool<Kokkos::DefaultExecutionSpace>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4000;
  Pool const pool(Pool::memory_space(), 1 << 20, 32, 256, 1 << 12);
  Kokkos::View<long*> out("out", n);
  Kokkos::parallel_for(
      "blocks", n, KOKKOS_LAMBDA(int i) {
        std::size_t const bytes = 32u << i % 4;
        auto* const block = static_cast<long*>(pool.allocate(bytes));
        if (block == nullptr) return;
        for (std::size_t k = 0; k < bytes / sizeof(long); ++k) block[k] = i;
        out(i) = block[bytes / sizeof(long) - 1];
        pool.deallocate(block, bytes);
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  for (int i = 0; i < n; ++i)
    if (host(i) != i) return 1;
  return 0;
}
