// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Not chips but promises: what every WebGPU implementation grants without being asked, and what a mobile GPU
/// under Vulkan has. Kokkos has no backend for either, so nothing of their scratch is withheld; a kernel
/// within these limits can be moved there. Neither standard speaks of banks or sectors: those are
/// assumptions, marked so.
#pragma once

#include "Device.hpp"
#include "Sizes.hpp"

namespace teamsan::model {

namespace Impl {

inline constexpr std::string_view webgpu_limits = "WebGPU specification, Limits, default values";
inline constexpr std::string_view not_in_webgpu = "WebGPU does not say; as on most desktop GPUs";
inline constexpr std::string_view vulkan_limits = "Vulkan specification, Required Limits";
inline constexpr std::string_view not_in_vulkan =
    "neither Vulkan nor Arm document it; as on most desktop GPUs";
inline constexpr std::string_view arm_guide = "Arm Mali Bifrost and Valhall OpenCL Developer Guide";

inline constexpr Origin webgpu_origins[] = {
    {"warp_width", Evidence::assumed,
     "WebGPU: subgroups are optional, of 4 to 128 lanes; as on most desktop GPUs"},
    {"max_team_lanes", Evidence::documented, webgpu_limits},
    {"max_vector_length", Evidence::assumed, "one subgroup"},
    {"banks", Evidence::assumed, not_in_webgpu},
    {"bank_width", Evidence::assumed, not_in_webgpu},
    {"sector_bytes", Evidence::assumed, not_in_webgpu},
    {"cache_line_bytes", Evidence::assumed, not_in_webgpu},
    {"scratch_default", Evidence::documented, webgpu_limits},
    {"scratch_opt_in", Evidence::documented, webgpu_limits},
    {"scratch_reserved", Evidence::documented, webgpu_limits},
    {"scratch_level1", Evidence::assumed, "Kokkos' limit on its GPU backends"},
    {"scratch_withheld", Evidence::assumed, "Kokkos has no WebGPU backend"},
    {"compute_units", Evidence::assumed, "not a property of WebGPU"},
    {"registers_per_thread", Evidence::assumed, "not a property of WebGPU"},
    {"memory_bytes", Evidence::assumed, "WebGPU limits one buffer (256 MiB), not their sum"},
    {"max_league", Evidence::documented, webgpu_limits},
    {"usm", Evidence::documented,
     "WebGPU specification, Buffers: a buffer is mapped by the host or used by the GPU"},
    {"unit", Evidence::assumed, "none published for Kokkos' launches: occupancy is not modelled"},
    {"clock_hz", Evidence::assumed, "not modelled: time is not"},
    {"memory_rate", Evidence::assumed, "not modelled: time is not"},
    {"double_rate", Evidence::assumed, "not modelled: time is not"},
    {"launch_seconds", Evidence::assumed, "not modelled: time is not"},
};

inline constexpr Origin mobile_origins[] = {
    {"warp_width", Evidence::documented, "Arm, Valhall GPUs: warps of 16"},
    {"max_team_lanes", Evidence::documented, "Vulkan Roadmap 2022 profile, maxComputeWorkGroupInvocations"},
    {"max_vector_length", Evidence::assumed, "one warp"},
    {"banks", Evidence::assumed, not_in_vulkan},
    {"bank_width", Evidence::assumed, not_in_vulkan},
    {"sector_bytes", Evidence::documented, arm_guide},
    {"cache_line_bytes", Evidence::documented, arm_guide},
    {"scratch_default", Evidence::documented, vulkan_limits},
    {"scratch_opt_in", Evidence::documented,
     "maxComputeSharedMemorySize that Arm and Qualcomm drivers report"},
    {"scratch_reserved", Evidence::documented, vulkan_limits},
    {"scratch_level1", Evidence::assumed, "Kokkos' limit on its GPU backends"},
    {"scratch_withheld", Evidence::assumed, "Kokkos has no Vulkan backend"},
    {"compute_units", Evidence::assumed, "differs from model to model"},
    {"registers_per_thread", Evidence::documented,
     "Arm, Valhall GPUs: 64 registers, 32 for all warps to fit"},
    {"memory_bytes", Evidence::assumed, "shared with the host"},
    {"max_league", Evidence::documented, vulkan_limits},
    {"usm", Evidence::documented, "Vulkan specification, Device Memory: host-visible memory, no migration"},
    {"unit", Evidence::assumed, "none published for Kokkos' launches: occupancy is not modelled"},
    {"clock_hz", Evidence::assumed, "not modelled: time is not"},
    {"memory_rate", Evidence::assumed, "not modelled: time is not"},
    {"double_rate", Evidence::assumed, "not modelled: time is not"},
    {"launch_seconds", Evidence::assumed, "not modelled: time is not"},
};

}  // namespace Impl

inline constexpr Device webgpu{
    .name = "webgpu",
    .title = "WebGPU minimum (16 KiB of workgroup storage)",
    .vendor = Vendor::generic,
    .evidence = Evidence::assumed,
    .warp_width = 32,
    .max_team_lanes = 256,
    .max_vector_length = 32,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 32,
    .cache_line_bytes = 128,
    .scratch_default = 16 * kib,
    .scratch_opt_in = 16 * kib,
    .scratch_reserved = 0,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 0,
    .registers_per_thread = 0,
    .memory_bytes = 0,
    .max_league = 65535,
    .source = "WebGPU specification (limits); access model assumed",
    .scratch_withheld = 0,
    .usm = {.device_allocations = true,
            .host_allocations = false,
            .shared_allocations = false,
            .system_allocations = false,
            .atomic_host_allocations = false,
            .atomic_shared_allocations = false,
            .concurrent_access = false},
    .unit = {},
    .origins = Impl::webgpu_origins,
};

inline constexpr Device mobile{
    .name = "mobile",
    .title = "Mobile GPU (Vulkan, 16 to 32 KiB, as Arm Valhall)",
    .vendor = Vendor::generic,
    .evidence = Evidence::assumed,
    .warp_width = 16,
    .max_team_lanes = 256,
    .max_vector_length = 16,
    .banks = 32,
    .bank_width = 4,
    .sector_bytes = 64,
    .cache_line_bytes = 64,
    .scratch_default = 16 * kib,
    .scratch_opt_in = 32 * kib,
    .scratch_reserved = 0,
    .scratch_level1 = kokkos_scratch_level1,
    .compute_units = 0,
    .registers_per_thread = 64,
    .memory_bytes = 0,
    .max_league = 65535,
    .source =
        "Vulkan specification and Roadmap 2022 profile (limits), Arm's guides (widths); access model assumed",
    .scratch_withheld = 0,
    .usm = {.device_allocations = true,
            .host_allocations = true,
            .shared_allocations = false,
            .system_allocations = false,
            .atomic_host_allocations = false,
            .atomic_shared_allocations = false,
            .concurrent_access = false},
    .unit = {},
    .origins = Impl::mobile_origins,
};

}  // namespace teamsan::model
