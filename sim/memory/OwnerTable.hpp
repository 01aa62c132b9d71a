// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// To whom each 256 bytes of global memory belong: a number for each granule, and one for each chunk that is
/// one owner's altogether, so that a large block costs next to nothing.
#pragma once

#include "../base/Arena.hpp"

#include <atomic>
#include <cstdint>

namespace teamsan::owner_table {

inline std::uint32_t* granules() { return reinterpret_cast<std::uint32_t*>(arena::granule_owners); }
inline std::uint32_t* chunks() { return reinterpret_cast<std::uint32_t*>(arena::chunk_owners); }

/// A chunk's owner: 0 if its granules have owners of their own.
inline constexpr std::uint32_t nobodys_chunk = ~std::uint32_t{0};

/// 0: nobody. Asked by lanes and host threads while others allocate: an owner's record is whole before it is set here.
inline std::uint32_t of(std::uintptr_t address) {
  auto const read = [](std::uint32_t& owner) { return std::atomic_ref(owner).load(std::memory_order_acquire); };
  std::uintptr_t const offset = address - arena::global;
  std::uint32_t const whole = read(chunks()[offset / arena::chunk_bytes]);
  if (whole == 0) return read(granules()[offset / arena::granule_bytes]);
  return whole != nobodys_chunk ? whole : 0;
}

/// `begin` and `end` on granules.
void set(std::uintptr_t begin, std::uintptr_t end, std::uint32_t owner);

}  // namespace teamsan::owner_table
