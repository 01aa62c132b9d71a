// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// NVIDIA's devices as figures. Only the H100 was at hand: what its counters gave (traces/hardware) is marked
/// measured, everything else is documented. The A100 and V100 share the H100's access model, unchecked.
#pragma once

#include "Device.hpp"
#include "Sizes.hpp"

namespace teamsan::model {

/// What Kokkos 5.2's CUDA backend keeps: 1026 doubles for the reductions of a team of 1024, one 64-bit id,
/// and 16 KiB of caution.
inline constexpr std::size_t kokkos_cuda_withheld = 1026 * 8 + 8 + 16 * kib;

namespace Impl {

inline constexpr std::string_view cuda_capabilities =
    "CUDA C++ Programming Guide, Compute Capabilities, table of technical specifications";
inline constexpr std::string_view kokkos_cuda_team =
    "Kokkos 5.2, Cuda/Kokkos_Cuda_Parallel_Team.hpp, scratch_size_max";
inline constexpr std::string_view kokkos_cuda_vector =
    "Kokkos 5.2, Cuda/Kokkos_Cuda_Parallel_Team.hpp, vector_length_max";
inline constexpr std::string_view nsight_line =
    "Nsight Compute, Kernel Profiling Guide, L1TEX: 4 sectors a line";
inline constexpr std::string_view cuda_unit =
    "CUDA C++ Programming Guide, Compute Capabilities; granularities as in cuda_occupancy.h";
inline constexpr std::string_view cuda_managed =
    "CUDA C++ Programming Guide, Unified Memory; system allocations need a coherent link (Grace) or kernel "
    "HMM; concurrent access as on Linux (concurrentManagedAccess), Windows has none";

inline constexpr Origin h100_origins[] = {
    {"warp_width", Evidence::documented, cuda_capabilities},
    {"max_team_lanes", Evidence::documented, cuda_capabilities},
    {"max_vector_length", Evidence::documented, kokkos_cuda_vector},
    {"banks", Evidence::measured, "H100 counters, traces/hardware/h100_shared_memory.csv"},
    {"bank_width", Evidence::measured, "H100 counters, traces/hardware/h100_shared_memory.csv"},
    {"sector_bytes", Evidence::measured, "H100 counters, traces/hardware/h100_global_memory.csv"},
    {"cache_line_bytes", Evidence::measured,
     "H100 counters, traces/hardware/h100_global_memory_more.csv: atomics go by line"},
    {"scratch_default", Evidence::documented, cuda_capabilities},
    {"scratch_opt_in", Evidence::documented, cuda_capabilities},
    {"scratch_reserved", Evidence::documented,
     "CUDA C++ Programming Guide, Compute Capability 9.0, Shared Memory"},
    {"scratch_level1", Evidence::documented, kokkos_cuda_team},
    {"scratch_withheld", Evidence::documented, kokkos_cuda_team},
    {"compute_units", Evidence::documented, "NVIDIA H100 Tensor Core GPU Architecture, table of H100 SXM5"},
    {"registers_per_thread", Evidence::documented, cuda_capabilities},
    {"memory_bytes", Evidence::documented, "NVIDIA H100 Tensor Core GPU data sheet, 80 GB"},
    {"max_league", Evidence::documented, cuda_capabilities},
    {"usm", Evidence::documented, cuda_managed},
    {"unit", Evidence::measured, "CUDA's occupancy calculator on an H200 (sm_90), traces/hardware/h200_occupancy.csv"},
    {"clock_hz", Evidence::documented, "NVIDIA's architecture white paper of the chip: boost clock"},
    {"memory_rate", Evidence::documented, "NVIDIA's data sheet of the chip, of the memory size above"},
    {"double_rate", Evidence::documented, "NVIDIA's data sheet of the chip, FP64 without Tensor Cores"},
    {"launch_seconds", Evidence::measured, "an empty kernel on an H200 (sm_90): 3.05 us, traces/hardware/h200_launch.csv"},
};

inline constexpr Origin cuda_origins[] = {
    {"warp_width", Evidence::documented, cuda_capabilities},
    {"max_team_lanes", Evidence::documented, cuda_capabilities},
    {"max_vector_length", Evidence::documented, kokkos_cuda_vector},
    {"banks", Evidence::documented, cuda_capabilities},
    {"bank_width", Evidence::documented,
     "CUDA C++ Programming Guide, Compute Capabilities 7.x and 8.x, Shared Memory"},
    {"sector_bytes", Evidence::documented,
     "Nsight Compute, Kernel Profiling Guide, L1TEX: sectors of 32 bytes"},
    {"cache_line_bytes", Evidence::documented, nsight_line},
    {"scratch_default", Evidence::documented, cuda_capabilities},
    {"scratch_opt_in", Evidence::documented, cuda_capabilities},
    {"scratch_reserved", Evidence::documented,
     "CUDA C++ Programming Guide: 1 KiB a block from 8.0 on, none before"},
    {"scratch_level1", Evidence::documented, kokkos_cuda_team},
    {"scratch_withheld", Evidence::documented, kokkos_cuda_team},
    {"compute_units", Evidence::documented, "NVIDIA's architecture white paper of the chip"},
    {"registers_per_thread", Evidence::documented, cuda_capabilities},
    {"memory_bytes", Evidence::documented, "NVIDIA's data sheet of the chip, the larger of two memory sizes"},
    {"max_league", Evidence::documented, cuda_capabilities},
    {"usm", Evidence::documented, cuda_managed},
    {"unit", Evidence::documented, cuda_unit},
    {"clock_hz", Evidence::documented, "NVIDIA's architecture white paper of the chip: boost clock"},
    {"memory_rate", Evidence::documented, "NVIDIA's data sheet of the chip, of the memory size above"},
    {"double_rate", Evidence::documented, "NVIDIA's data sheet of the chip, FP64 without Tensor Cores"},
    {"launch_seconds", Evidence::assumed, "an H200's is taken for it (3.05 us, traces/hardware/h200_launch.csv)"},
};

/// An NVIDIA GPU beside a PCIe host: managed memory yes, malloc'ed memory no, no host atomics at the same
/// time.
inline constexpr UsmAspects cuda_usm{.device_allocations = true,
                                     .host_allocations = true,
                                     .shared_allocations = true,
                                     .system_allocations = false,
                                     .atomic_host_allocations = false,
                                     .atomic_shared_allocations = false,
                                     .concurrent_access = true};

}  // namespace Impl

inline constexpr Device h100{
    .name = "h100",
    .title = "NVIDIA H100 (SXM5, sm_90)",
    .vendor = Vendor::nvidia,
    .evidence = Evidence::measured,
    .warp_width = 32,
    .max_team_lanes = 1024,
    .max_vector_length = 32,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 32,
    .cache_line_bytes = 128,
    .scratch_default = 48 * kib,
    .scratch_opt_in = 227 * kib,
    .scratch_reserved = 1 * kib,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 132,
    .registers_per_thread = 255,
    .memory_bytes = 80 * gib,
    .max_league = 2147483647,
    .source = "H100 counters (access model), CUDA C++ Programming Guide (limits)",
    .scratch_withheld = kokkos_cuda_withheld,
    .usm = Impl::cuda_usm,
    .unit = {.warps = 64, .teams = 32, .scratch = 228 * kib, .scratch_unit = 128,
             .partitions = 4, .registers = 512, .register_unit = 8},
    .clock_hz = 1.98e9,
    .memory_rate = 3.35e12,
    .double_rate = 33.5e12,
    .launch_seconds = 3e-6,
    .origins = Impl::h100_origins,
};

inline constexpr Device a100{
    .name = "a100",
    .title = "NVIDIA A100 (SXM4, sm_80)",
    .vendor = Vendor::nvidia,
    .evidence = Evidence::documented,
    .warp_width = 32,
    .max_team_lanes = 1024,
    .max_vector_length = 32,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 32,
    .cache_line_bytes = 128,
    .scratch_default = 48 * kib,
    .scratch_opt_in = 163 * kib,
    .scratch_reserved = 1 * kib,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 108,
    .registers_per_thread = 255,
    .memory_bytes = 80 * gib,
    .max_league = 2147483647,
    .source = "CUDA C++ Programming Guide; NVIDIA A100 Tensor Core GPU Architecture",
    .scratch_withheld = kokkos_cuda_withheld,
    .usm = Impl::cuda_usm,
    .unit = {.warps = 64, .teams = 32, .scratch = 164 * kib, .scratch_unit = 128,
             .partitions = 4, .registers = 512, .register_unit = 8},
    .clock_hz = 1.41e9,
    .memory_rate = 2.039e12,
    .double_rate = 9.7e12,
    .launch_seconds = 3e-6,
    .origins = Impl::cuda_origins,
};

inline constexpr Device v100{
    .name = "v100",
    .title = "NVIDIA V100 (SXM2, sm_70)",
    .vendor = Vendor::nvidia,
    .evidence = Evidence::documented,
    .warp_width = 32,
    .max_team_lanes = 1024,
    .max_vector_length = 32,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 32,
    .cache_line_bytes = 128,
    .scratch_default = 48 * kib,
    .scratch_opt_in = 96 * kib,
    .scratch_reserved = 0,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 80,
    .registers_per_thread = 255,
    .memory_bytes = 32 * gib,
    .max_league = 2147483647,
    .source = "CUDA C++ Programming Guide; NVIDIA Tesla V100 GPU Architecture",
    .scratch_withheld = kokkos_cuda_withheld,
    .usm = Impl::cuda_usm,
    .unit = {.warps = 64, .teams = 32, .scratch = 96 * kib, .scratch_unit = 256,
             .partitions = 4, .registers = 512, .register_unit = 8},
    .clock_hz = 1.53e9,
    .memory_rate = 0.9e12,
    .double_rate = 7.8e12,
    .launch_seconds = 3e-6,
    .origins = Impl::cuda_origins,
};

}  // namespace teamsan::model
