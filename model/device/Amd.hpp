// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// AMD's devices as figures, from AMD's public documents; no such chip was at hand. A HIP device is one
/// graphics compute die of an MI250X, and the whole package of an MI300X.
#pragma once

#include "Device.hpp"
#include "Sizes.hpp"

namespace teamsan::model {

/// What Kokkos 5.2's HIP backend keeps: 1026 doubles for the reductions of a team of 1024 and one 64-bit id.
inline constexpr std::size_t kokkos_hip_withheld = 1026 * 8 + 8;

namespace Impl {

inline constexpr std::string_view rocm_specs =
    "ROCm documentation, accelerator and GPU hardware specifications";
inline constexpr std::string_view kokkos_hip_team =
    "Kokkos 5.2, HIP/Kokkos_HIP_TeamPolicyInternal.hpp, scratch_size_max";
inline constexpr std::string_view rocm_lds =
    "ROCm documentation, CK Tile, Understanding AMD GPU LDS and bank conflicts";
inline constexpr std::string_view rocm_usm =
    "HIP documentation, Unified memory management; system allocations need XNACK, which is off by "
    "default; concurrent access as on Linux (concurrentManagedAccess)";
inline constexpr std::string_view rocm_unit =
    "HIP runtime (clr), hipOccupancyMaxActiveBlocksPerMultiprocessor: 8 waves a SIMD, 512 VGPRs in units of 8";
inline constexpr std::string_view rocm_limits =
    "HIP documentation, hipDeviceProp_t: maxThreadsPerBlock, maxGridSize, sharedMemPerBlock";

inline constexpr Origin amd_origins[] = {
    {"warp_width", Evidence::documented, rocm_specs},
    {"max_team_lanes", Evidence::documented, rocm_limits},
    {"max_vector_length", Evidence::documented,
     "Kokkos 5.2, HIP/Kokkos_HIP_Instance.hpp, HIPTraits::WarpSize"},
    {"banks", Evidence::documented, rocm_lds},
    {"bank_width", Evidence::documented, rocm_lds},
    {"sector_bytes", Evidence::documented,
     "ROCm Compute Profiler documentation, L2 cache: requests of 64 bytes"},
    {"cache_line_bytes", Evidence::documented, "ROCm Compute Profiler documentation, vector L1 cache"},
    {"scratch_default", Evidence::documented, rocm_specs},
    {"scratch_opt_in", Evidence::documented,
     "ROCm documentation: the LDS of a compute unit, no larger opt-in exists"},
    {"scratch_reserved", Evidence::documented, rocm_limits},
    {"scratch_level1", Evidence::documented, kokkos_hip_team},
    {"scratch_withheld", Evidence::documented, kokkos_hip_team},
    {"compute_units", Evidence::documented, rocm_specs},
    {"registers_per_thread", Evidence::documented,
     "AMD Instinct MI200 and MI300 ISA reference guides, VGPRs"},
    {"memory_bytes", Evidence::documented, rocm_specs},
    {"max_league", Evidence::documented, rocm_limits},
    {"usm", Evidence::documented, rocm_usm},
    {"unit", Evidence::documented, rocm_unit},
    {"clock_hz", Evidence::documented,
     "ROCm documentation, GPU architecture: stated for MI250; MI300X: 163.4 TFLOPS of 304 compute units, 256 a clock"},
    {"memory_rate", Evidence::documented, "AMD's data sheet of the chip; of an MI250X, half for each die"},
    {"double_rate", Evidence::documented, "AMD's data sheet of the chip, FP64 vector; of an MI250X, half for each die"},
    {"launch_seconds", Evidence::assumed, "a round figure for an empty kernel, launch to end"},
};

/// An AMD GPU beside a PCIe or Infinity Fabric host, XNACK off.
inline constexpr UsmAspects hip_usm{.device_allocations = true,
                                    .host_allocations = true,
                                    .shared_allocations = true,
                                    .system_allocations = false,
                                    .atomic_host_allocations = false,
                                    .atomic_shared_allocations = false,
                                    .concurrent_access = true};

}  // namespace Impl

inline constexpr Device mi250x{
    .name = "mi250x",
    .title = "AMD Instinct MI250X (one die, gfx90a)",
    .vendor = Vendor::amd,
    .evidence = Evidence::documented,
    .warp_width = 64,
    .max_team_lanes = 1024,
    .max_vector_length = 64,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 64,
    .cache_line_bytes = 64,
    .scratch_default = 64 * kib,
    .scratch_opt_in = 64 * kib,
    .scratch_reserved = 0,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 110,
    .registers_per_thread = 512,
    .memory_bytes = 64 * gib,
    .max_league = 2147483647,
    .source = "ROCm documentation; AMD Instinct MI200 ISA reference guide",
    .scratch_withheld = kokkos_hip_withheld,
    .usm = Impl::hip_usm,
    .unit = {.warps = 32, .scratch = 64 * kib, .partitions = 4, .registers = 512, .register_unit = 8},
    .clock_hz = 1.7e9,
    .memory_rate = 1.6384e12,
    .double_rate = 23.95e12,
    .launch_seconds = 6e-6,
    .origins = Impl::amd_origins,
};

inline constexpr Device mi300x{
    .name = "mi300x",
    .title = "AMD Instinct MI300X (gfx942)",
    .vendor = Vendor::amd,
    .evidence = Evidence::documented,
    .warp_width = 64,
    .max_team_lanes = 1024,
    .max_vector_length = 64,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 64,
    .cache_line_bytes = 128,
    .scratch_default = 64 * kib,
    .scratch_opt_in = 64 * kib,
    .scratch_reserved = 0,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 304,
    .registers_per_thread = 512,
    .memory_bytes = 192 * gib,
    .max_league = 2147483647,
    .source = "ROCm documentation; AMD Instinct MI300 ISA reference guide",
    .scratch_withheld = kokkos_hip_withheld,
    .usm = Impl::hip_usm,
    .unit = {.warps = 32, .scratch = 64 * kib, .partitions = 4, .registers = 512, .register_unit = 8},
    .clock_hz = 2.1e9,
    .memory_rate = 5.3e12,
    .double_rate = 81.7e12,
    .launch_seconds = 6e-6,
    .origins = Impl::amd_origins,
};

}  // namespace teamsan::model
