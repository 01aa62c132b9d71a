// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Units, and the one limit that Kokkos has alike on all its GPUs, for the vendors' tables.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan::model {

inline constexpr std::size_t kib = 1024;
inline constexpr std::size_t mib = 1024 * kib;
inline constexpr std::uint64_t gib = 1024 * mib;

/// Kokkos' own limit of level-1 scratch per team, alike in its CUDA, HIP and SYCL backends.
inline constexpr std::size_t kokkos_scratch_level1 = 80 * mib;

}  // namespace teamsan::model
