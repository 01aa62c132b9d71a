// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lane-redundant: an atomic update that is not idempotent takes effect once on every vector lane of a
/// thread, because it stands outside a ThreadVectorRange and outside single(PerThread). Decided from what the
/// updates did to memory: every lane of the thread carried out the same instruction on the same element, each
/// changed it, and by the same amount.
///
/// Not found: plain updates (`s(r) += 1` is a race, reported as one); updates whose amount differs between
/// lanes, or is not a difference (atomic_mul of a value that changes, exclusive or); Kokkos' atomics on more
/// than 8 bytes; what comes after the first 65,536 elements that a team updates (a note says so). Never taken for it:
/// atomic_max, min, or, and, exchange, store (the second lane changes nothing), and locks (a lane finds the
/// element as the lane before it did), and what lanes do once the body of a vector range has stored to a variable of theirs
/// that is older than the range: they go on with values of their own, as with an index. Where each lane is to have its own
/// share, that belongs into a ThreadVectorRange.
/// The first update of an element by each lane is looked at.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <unordered_map>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

class LaneRedundant {
 public:
  /// The running lane changed the `bytes` (up to 8) at `address` from `before` to `after` by an atomic.
  void note(Team& team, std::uintptr_t address, std::uint32_t bytes, std::uint64_t before,
            std::uint64_t after, Site site);
  void clear() { m_updates.clear(); }

 private:
  static constexpr std::size_t most_updates = 65536;

  struct Key {
    std::uintptr_t address;
    Site site;
    std::uint32_t thread;
    friend bool operator==(Key const&, Key const&) = default;
  };
  struct Hash {
    std::size_t operator()(Key const& k) const noexcept {
      std::uint64_t const h =
          k.address * 0x9e3779b97f4a7c15u ^ number_of(k.site) * 0xc2b2ae3d27d4eb4fu ^ k.thread * 0x165667b19e3779f9u;
      return h ^ h >> 29;
    }
  };
  struct Update {
    std::uint64_t lanes = 0;      ///< bit per vector lane that has done it
    std::uint64_t before, after;  ///< of the first lane
    bool alike = true;
  };
  std::unordered_map<Key, Update, Hash> m_updates;
};

}  // namespace teamsan::detect
