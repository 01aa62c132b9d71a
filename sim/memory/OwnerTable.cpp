// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OwnerTable.hpp"

#include <algorithm>

namespace teamsan::owner_table {

namespace {

void store(std::uint32_t& place, std::uint32_t owner) { std::atomic_ref(place).store(owner, std::memory_order_release); }

void set_granules(std::uintptr_t begin, std::uintptr_t end, std::uint32_t owner) {
  for (std::uintptr_t g = begin / arena::granule_bytes; g != end / arena::granule_bytes; ++g) store(granules()[g], owner);
}

}  // namespace

void set(std::uintptr_t begin, std::uintptr_t end, std::uint32_t owner) {
  begin -= arena::global;
  end -= arena::global;
  while (begin != end) {
    std::uintptr_t const chunk = begin / arena::chunk_bytes;
    std::uintptr_t const chunk_begin = chunk * arena::chunk_bytes,
                         chunk_end = chunk_begin + arena::chunk_bytes;
    std::uintptr_t const until = std::min(end, chunk_end);
    if (begin == chunk_begin && until == chunk_end) {
      store(chunks()[chunk], owner != 0 ? owner : nobodys_chunk);
    } else {
      // Whoever had all of it keeps the rest.
      if (std::uint32_t const whole = chunks()[chunk]; whole != 0) {
        set_granules(chunk_begin, chunk_end, whole != nobodys_chunk ? whole : 0);
        store(chunks()[chunk], 0);
      }
      set_granules(begin, until, owner);
    }
    begin = until;
  }
}

}  // namespace teamsan::owner_table
