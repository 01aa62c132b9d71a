// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Iterations of a lane that a RangePolicy asks for: Kokkos::StaticBatchSize, which versions before 4.7 do not have.
#pragma once

#include <cstdint>

namespace teamsan::simt {

template <class Policy>
consteval std::uint64_t static_batch_size() {
  if constexpr (requires { typename Policy::static_batch_size; })
    return Policy::static_batch_size::batch_size;
  else
    return 1;
}

}  // namespace teamsan::simt
