// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a GPU is, to TeamSan: a handful of limits and constants, as data. Each figure names its source
/// (`origins`) and says whether it was measured, is documented only, or is an assumption where nobody
/// documents it. The figures are in Nvidia.hpp, Amd.hpp, Intel.hpp and Portable.hpp; Devices.cpp lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace teamsan::model {

enum class Vendor : std::uint8_t { nvidia, amd, intel, generic };
enum class Evidence : std::uint8_t {
  measured,    ///< read from a chip of that kind
  documented,  ///< taken from a document that `source` names
  assumed      ///< a choice of ours, where no document says
};

/// Where one figure comes from. `what` is the name of a member of Device.
struct Origin {
  std::string_view what;
  Evidence evidence;
  std::string_view source;
};

/// What unified shared memory a device has, by SYCL 2020's aspects of the same names.
struct UsmAspects {
  bool device_allocations;         ///< memory that only the device may touch
  bool host_allocations;           ///< host memory that the device may touch
  bool shared_allocations;         ///< memory that migrates
  bool system_allocations;         ///< the device may touch what malloc returned
  bool atomic_host_allocations;    ///< atomics of host and device on host allocations
  bool atomic_shared_allocations;  ///< atomics of host and device on shared allocations at the same time
  bool concurrent_access = false;  ///< the host may touch a shared allocation while a kernel works on it
};

/// What one compute unit (multiprocessor) holds at a time. All zero where nobody publishes it.
struct UnitCapacity {
  std::uint32_t warps = 0;          ///< resident warps
  std::uint32_t teams = 0;          ///< resident teams (blocks); 0: as many as the rest allows
  std::size_t scratch = 0;          ///< bytes of level-0 scratch
  std::uint32_t scratch_unit = 1;   ///< a team's scratch is rounded up to multiples of this
  std::uint32_t partitions = 0;     ///< schedulers, each with a part of the registers
  std::uint32_t registers = 0;      ///< of one lane's place in a partition: warps resident there share them
  std::uint32_t register_unit = 1;  ///< a lane's registers are rounded up to multiples of this
};

/// One modelled GPU. Sizes in bytes, counts in units.
struct Device {
  std::string_view name;   ///< what `--device` takes: "h100"
  std::string_view title;  ///< what a person reads: "NVIDIA H100 (SXM5, sm_90)"
  Vendor vendor;
  Evidence evidence;  ///< whether the access model was checked against this chip's own counters

  std::uint32_t warp_width;         ///< lanes of a warp (wavefront, subgroup)
  std::uint32_t max_team_lanes;     ///< team_size * vector_length at most
  std::uint32_t max_vector_length;  ///< Kokkos' largest ThreadVectorRange: 32, or 64 on 64-wide devices

  std::uint32_t banks;             ///< scratch banks
  std::uint32_t bank_width;        ///< bytes a bank gives in one wavefront
  std::uint32_t sector_bytes;      ///< unit of a global-memory transfer
  std::uint32_t cache_line_bytes;  ///< unit of a global-memory tag

  std::size_t scratch_default;   ///< level-0 scratch a team may have without opting in
  std::size_t scratch_opt_in;    ///< level-0 scratch a team may have at most
  std::size_t scratch_reserved;  ///< part of it the vendor's runtime keeps
  std::size_t scratch_level1;    ///< level-1 scratch a team may have at most (Kokkos' own limit)

  std::uint32_t compute_units;         ///< multiprocessors; 0 where the figure does not apply
  std::uint32_t registers_per_thread;  ///< 0 where unknown
  std::uint64_t memory_bytes;          ///< device memory; 0 where the figure does not apply
  std::uint64_t max_league;            ///< blocks in the x dimension of a grid

  std::string_view source;  ///< where the figures come from

  std::size_t scratch_withheld;  ///< part of level 0 that Kokkos' backend for this device keeps for itself
  UsmAspects usm;                ///< which allocations the device knows
  UnitCapacity unit;             ///< what a compute unit holds at a time, see Occupancy.hpp
  double clock_hz = 0;           ///< of compute units at their highest; 0 where the figure does not apply
  double memory_rate = 0;        ///< bytes a second to and from device memory; 0 where the figure does not apply
  double double_rate = 0;        ///< double-precision operations a second (a fused multiply-add is two), no matrix units; or 0
  double launch_seconds = 0;     ///< from the launch of a kernel to its end, if it does nothing; 0 where unknown
  std::span<Origin const>
      origins;  ///< each member above except name, title, vendor, evidence and source, once
};

/// All devices, in the order `teamsan devices` prints them. The first is the default.
std::span<Device const> devices();

/// The device of that name (case does not matter), or nullptr.
Device const* find_device(std::string_view name);

/// The known name nearest to a mistyped one, for error messages.
std::string_view nearest_device_name(std::string_view name);

/// Level-0 scratch in bytes that Kokkos would offer a team on this device: opt-in - reserved - withheld. For
/// CUDA that is (opt-in - reserved) - (1026 * 8 + 8 + 16384), see scratch_size_max in
/// Cuda/Kokkos_Cuda_Parallel_Team.hpp; HIP and SYCL withhold less; a device that Kokkos has no backend for
/// withholds nothing.
std::size_t scratch_level0_max(Device const& device);

}  // namespace teamsan::model
