// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a debugger reads of the simulated GPU, from a live process or a core file, without calling into it: where the
/// workers, the running launch and the allocations are, and at which offsets their members lie. Nothing on the hot path
/// keeps it: lanes, teams and shadow are read where they live. sim/gdb is the script that does so.
///
/// `__teamsan_lane_table` and `__teamsan_on_report` have C names and this layout; `version` changes whenever a field
/// here changes its place or meaning. Fields are added at the end of the list of `fields` without a new version: it is
/// searched by name. The layouts of `Lane` (Lane.hpp), `Cell` and `Who` (memory/Cell.hpp), of the shadow of global memory
/// (memory/GlobalShadow.hpp) and of saved registers (machine/Context.cpp) are part of the version.
#pragma once

#include <atomic>
#include <cstdint>

extern "C" {

/// The offset of a member, the size of a class, a constant, or the value of an enumerator:
///   "Team.m_lanes"   bytes from the start of the object to the member
///   "LaneState"      sizeof
///   "arena.device"   a constant
///   "LaneStatus:done", "Meeting:Kokkos' word for it", "Scope:single_per_team"   an enumerator's value
struct TeamsanField {
  char const* name;
  std::uint64_t value;
};

/// A finding that was just made; its text is in the report that ends the run.
struct TeamsanReport {
  char const* rule;             ///< "scratch-race"; "scratch-race or same-value" where the value to be stored decides
  char const* title;            ///< "write/read race on team scratch"
  char const* kernel;           ///< Kokkos label; "": outside any kernel
  std::uint64_t launch;         ///< number of the launch, from 1; 0: none
  std::uint32_t sides;          ///< how many of the two below are valid
  std::uint32_t at_the_access;  ///< 1: the running lane stands at the access of one side; 0: the lanes have gone on
  struct Side {
    std::uint64_t pc;      ///< return address of the access' callback; 0: unknown
    std::uint64_t league;  ///< ~0: no lane, or unknown
    std::uint32_t thread, vector_lane;
    std::uint32_t access;  ///< AccessKind: 0 none, 1 read, 2 write, 3 atomic read, 4 atomic write
    std::uint32_t unused;
  } side[2];
  char const* id;      ///< "TS-3f9a1c07", or "TS-3f9a1c07 or TS-90c2e1d4"; "": not looked up, without --gdb
  char const* way[2];  ///< of each side: "rhs.hpp:52:9", and a line for each call to it, innermost first; "": not looked up
};

struct TeamsanLaneTable {
  char magic[8];                     ///< "TEAMSAN"
  std::uint32_t version;             ///< 1
  std::uint32_t field_count;
  TeamsanField const* fields;
  std::atomic<void*> workers;        ///< the first Worker, chained by Worker.m_next; workers stay
  std::atomic<void const*> launch;   ///< the running LaunchState, or null
  std::atomic<std::uint64_t> launches;  ///< so far
  void const* kernels;               ///< std::unordered_map<std::string, std::uint64_t>: launches of each label
  void const* allocations;           ///< AllocationTable: chunks of Allocations; numbers into it: memory/OwnerTable.hpp
  TeamsanReport const* report;       ///< during __teamsan_on_report
};

extern TeamsanLaneTable __teamsan_lane_table;

/// Does nothing: a place for a breakpoint. Called once for each pair of instructions that a finding names, as soon as
/// the finding is made; where that can be, the lane is still at the access (see TeamsanReport::at_the_access).
void __teamsan_on_report(TeamsanReport const* report);
}
