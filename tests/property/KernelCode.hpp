// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A kernel's statements and arrays as the lanes carry them: flat, without pointers to the host. And a lane's
/// accesses.
#pragma once

#include "Program.hpp"
#include "Semantics.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace property {

using Space = teamsan::Simt;
using TeamPolicy = Kokkos::TeamPolicy<Space>;
using Member = TeamPolicy::member_type;
using Scratch = Space::scratch_memory_space;

struct Node : Operation {
  int first = 0, children = 0;  ///< its body in Code::nodes
};

struct DeviceArray {
  Place place = Place::global_slice;
  std::uint32_t size = 0, width = 1;
  unsigned char* data = nullptr;  ///< device memory; scratch: set by each lane
};

struct Code {
  static constexpr int max_nodes = 256;
  Node nodes[max_nodes];
  int roots = 0;  ///< nodes 0 to roots - 1 are the kernel's body
  DeviceArray arrays[max_arrays];
  int array_count = 0;
  int teams = 1;
};

/// `use(reference)` with the element as what it is.
template <class Use>
KOKKOS_INLINE_FUNCTION void with_element(DeviceArray const& array, std::uint64_t place, Use const& use) {
  switch (array.width) {
    case 1:
      use(array.data[place]);
      break;
    case 4:
      use(reinterpret_cast<std::uint32_t*>(array.data)[place]);
      break;
    default:
      use(reinterpret_cast<std::uint64_t*>(array.data)[place]);
      break;
  }
}

/// What a lane of a kernel holds on its own stack.
struct Lane {
  DeviceArray arrays[max_arrays];  ///< a slice is not yet added to `data`
  std::uint64_t r[registers];
  int league = 0, thread = 0, teams = 1;
  bool flat = false;

  KOKKOS_INLINE_FUNCTION std::uint32_t size(DeviceArray const& array) const {
    return flat && array.place == Place::global_slice ? array.size * static_cast<std::uint32_t>(teams)
                                                      : array.size;
  }
  KOKKOS_INLINE_FUNCTION std::uint64_t place(Access const& access, std::uint64_t x,
                                             std::uint32_t next_team) const {
    DeviceArray const& array = arrays[access.array];
    std::uint64_t const here = element(access, size(array), x);
    if (flat || array.place != Place::global_slice) return here;
    return here + static_cast<std::uint64_t>((league + static_cast<int>(next_team)) % teams) * array.size;
  }

  KOKKOS_INLINE_FUNCTION std::uint64_t value(Leaf const& leaf, std::uint64_t x) const {
    std::uint64_t v =
        fresh_value(leaf, x, static_cast<std::uint64_t>(league), static_cast<std::uint64_t>(thread));
    for (Access const& from : leaf.from) {
      if (from.array < 0) continue;
      std::uint64_t got = 0;
      with_element(arrays[from.array], place(from, x, 0), [&](auto& e) { got = e; });
      v = take_in(v, got);
    }
    if (leaf.from_register >= 0) v = take_in(v, r[leaf.from_register]);
    return v;
  }

  KOKKOS_INLINE_FUNCTION void store(Leaf const& leaf, std::uint64_t x, std::uint64_t v) const {
    if (leaf.to.array < 0) return;
    with_element(arrays[leaf.to.array], place(leaf.to, x, leaf.next_team), [&](auto& e) {
      using T = std::remove_reference_t<decltype(e)>;
      auto const own = static_cast<T>(v);
      if (leaf.atomic == AtomicOperation::none) {
        e = own;
      } else if (leaf.torn) {
        e = static_cast<T>(updated(leaf.atomic, e, own));
      } else if constexpr (sizeof(T) > 1) {
        switch (leaf.atomic) {
          case AtomicOperation::none:
            break;
          case AtomicOperation::add:
            Kokkos::atomic_add(&e, own);
            break;
          case AtomicOperation::max:
            Kokkos::atomic_max(&e, own);
            break;
          case AtomicOperation::min:
            Kokkos::atomic_min(&e, own);
            break;
          case AtomicOperation::exclusive_or:
            Kokkos::atomic_fetch_xor(&e, own);
            break;
        }
      }
    });
  }
  KOKKOS_INLINE_FUNCTION void item(Leaf const& leaf, std::uint64_t x) const {
    store(leaf, x, value(leaf, x));
  }
};

}  // namespace property
