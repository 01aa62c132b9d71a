// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a launch asked of memory, as the machine model counts it: for each source line and View the warp accesses, the
/// wavefronts they took in scratch's banks or the sectors they moved, what the least would have been, and the worst
/// one. sim/model fills AccessSite, the collector adds launches of a kernel up, merge_traffic makes it readable.
#pragma once

#include "../../traces/Site.hpp"
#include "../../model/device/Cost.hpp"
#include "../../model/device/Occupancy.hpp"
#include "../../model/device/WarpAccess.hpp"
#include "../base/LaunchConfig.hpp"
#include "Finding.hpp"
#include "../places/Symbolizer.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// Why a lane takes no part in an access of its warp (detect/IdleLanes.hpp says how they are told apart).
enum class IdleCause : std::uint8_t {
  team,    ///< the team has no such lane: its size is no multiple of the warp's
  vector,  ///< a ThreadVectorRange is shorter than the vector length
  range,   ///< the last round of a range has no iteration for it
  branch,  ///< a branch or loop of the kernel's own leaves it out
  single   ///< Kokkos::single
};
inline constexpr std::size_t idle_causes = 5;

/// Sums over warp accesses (one instruction of one warp is one request).
struct TrafficCounts {
  std::uint64_t requests = 0;          ///< warp accesses
  std::uint64_t lane_accesses = 0;     ///< active lanes of all of them
  std::uint64_t wavefronts = 0;        ///< passes over the banks; 0 for global memory
  std::uint64_t ideal_wavefronts = 0;  ///< without any bank conflict
  std::uint64_t sectors = 0;           ///< moved from or to global memory; 0 for scratch of level 0
  std::uint64_t ideal_sectors = 0;     ///< if the lanes' bytes lay side by side
  std::array<std::uint64_t, idle_causes> idle{};  ///< lanes that took no part, by IdleCause
  std::uint64_t idle_of(IdleCause cause) const { return idle[static_cast<std::size_t>(cause)]; }
  void add(TrafficCounts const& other);
};

/// The warp access of a site that cost most beyond its ideal; of equals, the first in league, warp and program order.
struct WorstWarp {
  std::uint64_t league = 0;
  std::uint32_t warp = 0;
  std::uint64_t occurrence = 0;         ///< how manieth of the instruction in its window of the warp, from 0
  std::uint64_t active = 0;             ///< bit l: lane l takes part
  std::array<std::int64_t, model::max_warp_width> offsets{};  ///< by lane: bytes from the start of `data`
  std::uint32_t misalignment = 0;       ///< of the start of `data`, modulo 256: banks and sectors count from there
  std::uint32_t cost = 0, ideal = 0;    ///< wavefronts (scratch) or sectors (global memory)
  std::uint32_t vector_length = 1;      ///< lanes of a thread in that launch
  std::uint64_t launch = 0;             ///< number of the launch in the program
  /// How many times the ideal, rounded up: "32-way".
  std::uint32_t ways() const { return ideal == 0 ? 1 : (cost + ideal - 1) / ideal; }
};

/// An address that atomics update.
struct HotAddress {
  std::uint64_t offset = 0;   ///< bytes from the start of the data
  std::uint64_t updates = 0;  ///< by lanes
  std::uint64_t teams = 0;    ///< that update it; of scratch, each its own
  std::string index = {};     ///< "(3, 5)"; empty: unknown
};

/// What atomics of one instruction wait for each other.
struct Contention {
  std::uint64_t wanted = 0;     ///< sum over warp accesses: lanes at the address that most of the warp's lanes want
  std::uint32_t worst = 0;      ///< the most lanes of one warp at one address
  std::uint64_t addresses = 0;  ///< that were updated; with `one_in`, of those looked at
  std::uint64_t one_in = 1;     ///< of so many addresses one was looked at: there were too many to keep
  std::vector<HotAddress> hottest;  ///< most updates first; of equals, the lowest
  void add(Contention const& other);
};

/// All accesses of one instruction to one View or piece of scratch.
struct AccessSite {
  Site at{};
  model::Operation operation{};
  std::uint32_t bytes_per_lane = 0;
  bool banked = false;  ///< scratch of level 0: wavefronts count. Otherwise sectors do.
  Data data;            ///< offset is not meant
  TrafficCounts counts;
  WorstWarp worst;
  Contention contention = {};     ///< of atomics
  Site parted_at{};  ///< the last access that lanes made together which a branch then leaves out here; 0: none
};

/// What a launch makes of the device's compute units.
struct Residency {
  std::uint64_t launch = 0;  ///< number of the launch in the program; 0: unknown
  std::uint64_t league = 0;  ///< teams of the launch; 0: unknown
  std::vector<Site> calls = {};  ///< of the host, to the launch; not in a report that was read
  model::TeamShape team;     ///< what a team takes
  model::Occupancy resident;
  model::Waves waves;
  bool known() const { return launch != 0 && resident.most_warps != 0; }
};

/// What Kokkos' backend for the device does beside the kernel's body (model/device/KokkosOwn.hpp).
struct OwnTraffic {
  TrafficCounts scratch_loads, scratch_stores;
  void add(OwnTraffic const& other);
};

/// A kernel's accesses, launches of one label together. In the order of first appearance.
struct KernelTraffic {
  std::string kernel;             ///< Kokkos label
  std::string policy;             ///< of the first launch
  bool has_iterate = false;       ///< of the order of its iterations the policy says (Kokkos::Iterate)
  std::uint32_t warp_width = 32;
  std::uint64_t launches = 0;     ///< modelled ones
  std::uint64_t teams = 0;        ///< modelled ones
  std::uint64_t teams_of_all = 0;  ///< in those launches
  Residency residency;             ///< of the launch that fills compute units least; of equals, the first
  Residency largest;               ///< of the launch with the most lanes; of equals, the first
  OwnTraffic own;
  std::vector<AccessSite> sites;
  void add(KernelTraffic&& launch);  ///< a further launch of the kernel
};

/// A site as a person reads it: merged over all instructions of one line that do the same to the same data.
struct ReportedSite {
  AccessSite site;
  Place place;
  std::string source;  ///< the source line, without its end; empty: not readable
  Remedy cure = {};      ///< empty: nothing to gain; of a report that was read, its kind is not known
  std::string fix = {};  ///< the same, said
  Place parted = {};     ///< of AccessSite::parted_at
  Gain gain = {};        ///< of the fix
  /// Wavefronts or sectors, and what they could be at least.
  std::uint64_t cost() const { return site.banked ? site.counts.wavefronts : site.counts.sectors; }
  std::uint64_t ideal() const { return site.banked ? site.counts.ideal_wavefronts : site.counts.ideal_sectors; }
  std::uint64_t excess() const { return cost() - ideal(); }
};

/// What one kernel moved, by direction.
struct ReportedTraffic {
  std::string kernel, policy;
  bool has_iterate = false;  ///< see KernelTraffic; not in a report that was read
  std::uint32_t warp_width = 32;
  std::uint64_t launches = 0, teams = 0, teams_of_all = 0;
  Residency residency;
  Residency largest;  ///< see KernelTraffic; not in a report that was read
  TrafficCounts shared_loads, shared_stores, shared_atomics, global_loads, global_stores, global_atomics;
  OwnTraffic own;
  std::vector<ReportedSite> sites;  ///< in the order of SiteOrder.hpp
};

/// Of all six directions.
TrafficCounts all_counts(ReportedTraffic const& kernel);

/// What its cost is made of (model/device/Cost.hpp). Counted teams stand for those that --model-teams left out.
model::KernelWork work_of(ReportedTraffic const& kernel);

/// Keeps the one that fills compute units less.
void take_lower(Residency& kept, Residency const& other);
/// Keeps the one with more lanes in all.
void take_larger(Residency& kept, Residency const& other);

/// Sites of one kernel, user line, operation, width and data become one.
ReportedTraffic merge_traffic(KernelTraffic const& kernel);

}  // namespace teamsan
