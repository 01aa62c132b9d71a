// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "../Kokkos_Simt.hpp"
#include "UniqueToken.hpp"

#include <mutex>

namespace teamsan::simt {

Kokkos::View<std::uint32_t*, SimtSpace> global_token_locks(TokenLocks what) {
  static std::mutex mutex;
  // Never destroyed: a handler of exit() may finalize Kokkos after that.
  static auto& locks = *new Kokkos::View<std::uint32_t*, SimtSpace>;
  std::lock_guard const lock(mutex);
  switch (what) {
    case TokenLocks::get:
      if (locks.extent(0) == 0) {
        locks = Kokkos::View<std::uint32_t*, SimtSpace>("Kokkos::UniqueToken::m_locks", Simt::concurrency());
      }
      break;
    case TokenLocks::release:
      locks = {};
      break;
  }
  return locks;
}

}  // namespace teamsan::simt
