// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library whose memory lies where the simulated GPU's should.
#include <cstdlib>
#include <sys/mman.h>

[[gnu::constructor]] void take_range() {
  void* const inside = reinterpret_cast<void*>(0x1700'0000'0000);
  if (mmap(inside, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != inside) std::abort();
}
