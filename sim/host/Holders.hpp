// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which of the program's own variables lead to an allocation: what a cache or a registry keeps on purpose is told in other
/// words than what nobody can free any more. Decided from memory as it is: a word of a static variable, or of a block of
/// malloc's that such a one leads to, that is an address in the allocation. Conservative: a word that happens to look like one
/// leads there too. Cannot see what is held by thread-local variables and stacks, by variables without a symbol, through
/// pointers into the middle of blocks, or in blocks of another allocator than glibc's. Kokkos' variables and the runtime's hold
/// nothing for the program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace teamsan {

/// Of an allocation: all of it, its header included.
struct HeldRange {
  std::uintptr_t begin = 0, end = 0;
  bool headed = false;  ///< Kokkos' header stands at its beginning, which nothing but Kokkos' record of it points to
};

struct Holder {
  std::string variable;   ///< its demangled name; empty: none leads there
  bool directly = false;  ///< the address stands in the variable itself
};

/// One for each range; ranges are in the order of their addresses.
std::vector<Holder> find_holders(std::span<HeldRange const> ranges);

}  // namespace teamsan
