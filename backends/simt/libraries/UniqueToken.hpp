// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// UniqueToken on the simulated GPU, as on CUDA: an array of locks in device memory, a lane tries from its
/// own number on. Acquiring and releasing are the program's own synchronisation and are seen as such (acquire
/// and release fences around an atomic word), so they are instrumented.
#pragma once

#include "../Macros.hpp"
#include "../spaces/ExecutionSpace.hpp"

#include <Kokkos_Atomic.hpp>
#include <Kokkos_UniqueToken.hpp>
#include <Kokkos_View.hpp>

#include "../../../sim/machine/Lane.hpp"

#include <cstdint>

namespace teamsan::simt {

enum class TokenLocks : bool { get, release };

/// The locks of all Global tokens: made at the first request, gone after `release`.
Kokkos::View<std::uint32_t*, SimtSpace> global_token_locks(TokenLocks what = TokenLocks::get);

/// The lane's number in the launch.
TEAMSAN_NO_INSTRUMENT inline std::uint64_t lane_number() {
  Lane const& lane = this_lane();
  return lane.league_rank * (std::uint64_t{lane.team_size} * lane.vector_length) + lane.index;
}

TEAMSAN_NO_INSTRUMENT inline std::uint64_t block_lanes() {
  Lane const& lane = this_lane();
  return std::uint64_t{lane.team_size} * lane.vector_length;
}

}  // namespace teamsan::simt

namespace Kokkos::Experimental {

template <>
class UniqueToken<teamsan::Simt, UniqueTokenScope::Global> {
 public:
  using execution_space = teamsan::Simt;
  using size_type = std::int32_t;

  explicit UniqueToken(execution_space const& = execution_space())
      : m_locks(teamsan::simt::global_token_locks()) {}

  /// 0 <= value < size()
  KOKKOS_INLINE_FUNCTION size_type size() const noexcept { return static_cast<size_type>(m_locks.extent(0)); }

  KOKKOS_INLINE_FUNCTION size_type acquire() const {
    if (!teamsan::in_kernel()) return 0;
    auto const count = static_cast<std::uint64_t>(size());
    std::uint64_t token = teamsan::simt::lane_number() % count;
    while (Kokkos::atomic_compare_exchange(&m_locks(token), 0u, 1u) == 1u) {
      token = (token + teamsan::simt::block_lanes() + 1) % count;
      teamsan::yield_lane();
    }
    desul::atomic_thread_fence(desul::MemoryOrderAcquire(), desul::MemoryScopeDevice());
    return static_cast<size_type>(token);
  }

  KOKKOS_INLINE_FUNCTION void release(size_type token) const noexcept {
    if (!teamsan::in_kernel()) return;
    desul::atomic_thread_fence(desul::MemoryOrderRelease(), desul::MemoryScopeDevice());
    (void)Kokkos::atomic_exchange(&m_locks(token), 0u);
  }

 protected:
  UniqueToken(size_type count, execution_space const& space)
      : m_locks(Kokkos::view_alloc(space, "Kokkos::UniqueToken::m_locks"), count) {}

 private:
  Kokkos::View<std::uint32_t*, teamsan::SimtSpace> m_locks;
};

template <>
class UniqueToken<teamsan::Simt, UniqueTokenScope::Instance>
    : public UniqueToken<teamsan::Simt, UniqueTokenScope::Global> {
  using Base = UniqueToken<teamsan::Simt, UniqueTokenScope::Global>;

 public:
  UniqueToken() : UniqueToken(execution_space()) {}
  explicit UniqueToken(execution_space const& space) : Base(space.concurrency(), space) {}
  explicit UniqueToken(size_type count) : Base(count, execution_space()) {}
  UniqueToken(size_type count, execution_space const& space) : Base(count, space) {}
};

}  // namespace Kokkos::Experimental
