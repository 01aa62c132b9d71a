// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Intel's Data Center GPU Max 1550 (Ponte Vecchio) as figures, from Intel's public documents; no such chip
/// was at hand. A SYCL device is one of its two stacks.
#pragma once

#include "Device.hpp"
#include "Sizes.hpp"

namespace teamsan::model {

/// What Kokkos 5.2's SYCL backend keeps: 1026 doubles for the reductions of a team of 1024.
inline constexpr std::size_t kokkos_sycl_withheld = 1026 * 8;

namespace Impl {

inline constexpr std::string_view oneapi_guide = "oneAPI GPU Optimization Guide";
inline constexpr std::string_view oneapi_slm = "oneAPI GPU Optimization Guide, Shared Local Memory";
inline constexpr std::string_view oneapi_architecture =
    "oneAPI GPU Optimization Guide, Intel Xe GPU Architecture";
inline constexpr std::string_view oneapi_occupancy = "Intel GPU Occupancy Calculator, Data Center Max";
inline constexpr std::string_view kokkos_sycl_team =
    "Kokkos 5.2, SYCL/Kokkos_SYCL_TeamPolicy.hpp, scratch_size_max";

inline constexpr Origin pvc_origins[] = {
    {"warp_width", Evidence::documented,
     "oneAPI GPU Optimization Guide: sub-groups of 16 or 32; Kokkos takes the larger"},
    {"max_team_lanes", Evidence::documented, oneapi_occupancy},
    {"max_vector_length", Evidence::documented,
     "Kokkos 5.2, SYCL/Kokkos_SYCL_TeamPolicy.hpp, vector_length_max"},
    {"banks", Evidence::documented, oneapi_slm},
    {"bank_width", Evidence::documented, oneapi_slm},
    {"sector_bytes", Evidence::documented, oneapi_guide},
    {"cache_line_bytes", Evidence::documented, oneapi_guide},
    {"scratch_default", Evidence::documented, oneapi_occupancy},
    {"scratch_opt_in", Evidence::documented, oneapi_occupancy},
    {"scratch_reserved", Evidence::assumed, "no document speaks of any"},
    {"scratch_level1", Evidence::documented, kokkos_sycl_team},
    {"scratch_withheld", Evidence::documented, kokkos_sycl_team},
    {"compute_units", Evidence::documented, oneapi_architecture},
    {"registers_per_thread", Evidence::documented,
     "oneAPI GPU Optimization Guide, Registers: 256 x 64 bytes in large mode, shared by 32 lanes"},
    {"memory_bytes", Evidence::documented, oneapi_architecture},
    {"max_league", Evidence::assumed, "work-group ids as 32-bit signed, the default of Intel's compiler"},
    {"usm", Evidence::documented, "oneAPI documentation, Unified Shared Memory on Data Center GPU Max; without "
                                  "usm_atomic_shared_allocations SYCL 2020 (4.8) has no concurrent access"},
    {"unit", Evidence::assumed, "none published for Kokkos' launches: occupancy is not modelled"},
    {"clock_hz", Evidence::assumed, "not modelled: time is not"},
    {"memory_rate", Evidence::assumed, "not modelled: time is not"},
    {"double_rate", Evidence::assumed, "not modelled: time is not"},
    {"launch_seconds", Evidence::assumed, "not modelled: time is not"},
};

}  // namespace Impl

inline constexpr Device pvc{
    .name = "pvc",
    .title = "Intel Data Center GPU Max 1550 (one stack)",
    .vendor = Vendor::intel,
    .evidence = Evidence::documented,
    .warp_width = 32,
    .max_team_lanes = 1024,
    .max_vector_length = 32,
    .banks = 16,
    .bank_width = 4,
    .sector_bytes = 64,
    .cache_line_bytes = 64,
    .scratch_default = 128 * kib,
    .scratch_opt_in = 128 * kib,
    .scratch_reserved = 0,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 64,
    .registers_per_thread = 128,
    .memory_bytes = 64 * gib,
    .max_league = 2147483647,
    .source = "oneAPI GPU Optimization Guide; Intel GPU Occupancy Calculator",
    .scratch_withheld = kokkos_sycl_withheld,
    .usm = {.device_allocations = true,
            .host_allocations = true,
            .shared_allocations = true,
            .system_allocations = false,
            .atomic_host_allocations = false,
            .atomic_shared_allocations = false,
            .concurrent_access = false},
    .unit = {},
    .origins = Impl::pvc_origins,
};

}  // namespace teamsan::model
