// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Iterations of a lane that a RangePolicy asks for: Kokkos::StaticBatchSize, which versions before 4.7 do not have.
#pragma once

#include <cstdint>
#include <type_traits>

namespace teamsan::simt {

template <class Policy, class = void>
inline constexpr std::uint64_t static_batch_size = 1;

template <class Policy>
inline constexpr std::uint64_t static_batch_size<Policy, std::void_t<typename Policy::static_batch_size>> =
    Policy::static_batch_size::batch_size;

}  // namespace teamsan::simt
