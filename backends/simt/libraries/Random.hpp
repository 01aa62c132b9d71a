// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos_Random.hpp asks of a GPU: which state of the pool a lane may use (as on CUDA, the first free
/// one from its own number on), generators that work on the pool's state in place, and locks that are given back as
/// atomically as they are taken. Declared before that header is read, so that it need not be included here.
#pragma once

#include "UniqueToken.hpp"

#include <Kokkos_Atomic.hpp>
#include <Kokkos_View.hpp>

#include <cstdint>
#include <type_traits>

namespace teamsan::simt {

/// An entry of a pool's locks, as `locks_(state, 0)` means it in Kokkos_Random.hpp (overlay/Kokkos_Random.hpp). Kokkos takes a
/// lock by an atomic compare-and-exchange and gives it back by a fence and a plain store, which a GPU does in one piece as
/// well: the store is an atomic one here, since what the pool promises its users is that a state has one owner at a time.
template <class T>
class PoolLock {
 public:
  explicit PoolLock(T& entry) : m_entry(entry) {}
  void operator=(T value) const { Kokkos::atomic_store(&m_entry, value); }
  T* operator&() const { return &m_entry; }
  operator T&() const { return m_entry; }

 private:
  T& m_entry;
};

}  // namespace teamsan::simt

namespace Kokkos::Impl {

template <class DeviceType>
struct Random_UniqueIndex;

template <class MemorySpace>
struct Random_UniqueIndex<Kokkos::Device<teamsan::Simt, MemorySpace>> {
  using locks_view_type = View<int**, Kokkos::Device<teamsan::Simt, MemorySpace>>;

  KOKKOS_FUNCTION static std::uint64_t get_state_idx(locks_view_type const& locks) {
    if (!teamsan::in_kernel()) return 0;
    auto const count = static_cast<std::uint64_t>(locks.extent(0));
    std::uint64_t state = teamsan::simt::lane_number() % count;
    while (Kokkos::atomic_compare_exchange(&locks(state, 0), 0, 1)) {
      state += teamsan::simt::block_lanes();
      if (state >= count) state = teamsan::simt::lane_number() % teamsan::simt::block_lanes() % count;
      teamsan::yield_lane();
    }
    return state;
  }
};

template <class ExecutionSpace>
struct Random_XorShift1024_UseCArrayState;
template <>
struct Random_XorShift1024_UseCArrayState<teamsan::Simt> : std::false_type {};

template <class ExecutionSpace>
struct Random_SFC64_UseCArrayState;
template <>
struct Random_SFC64_UseCArrayState<teamsan::Simt> : std::false_type {};

}  // namespace Kokkos::Impl
