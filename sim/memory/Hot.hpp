// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the compiler callbacks look at on every access, one per OS thread, in two cache lines. Three ranges classify an
/// address: the running team's scratch, global memory, and what needs no check (a lane's own stack; on host threads
/// everything outside the arena). What is in none of them goes the slow way. Switching a lane means setting `me` and
/// the ignored range.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Arena.hpp"
#include "../entry/pass/Abi.h"
#include "Cell.hpp"
#include "TeamShadow.hpp"

#include <cstdint>

namespace teamsan::traces {
struct Expected;
}
namespace teamsan::trace {
class Answers;
class TeamTrace;
}  // namespace teamsan::trace

namespace teamsan {

class FlatShadow;
class Team;
struct FlatTable;
struct RunningLane;
struct WarpRecord;

/// What happens to an access besides the checks. `others`: another shard checks the team's scratch. `flat`: what lanes do to
/// device memory is joined into the global shadow at once (FlatWord.hpp). `range`: a range's, judged team by team
/// (check/RangeCells.hpp). `weighed`: accesses are counted (LaunchWeight.hpp).
/// `locked`: as checked or range, by a lane that holds one of Kokkos' locks (check/LockedCells.hpp).
/// `nothing`: the team, or what it does just now, is not checked.
enum class Watch : std::uint8_t {
  checked, range, locked, counted, recorded, counted_and_recorded, others, flat, flat_and_counted, weighed, flat_and_weighed,
  nothing
};

/// What the callbacks do with an access that is not only checked, by the log2 of its bytes: of an address and a place.
struct AccessHandlers {
  using Handler = void (*)(std::uintptr_t address, Site site);
  Handler read[5], write[5];
};
/// By Watch; of `checked` there are none. Defined above, in check/Handlers.cpp.
extern AccessHandlers const access_handlers[];

/// What a worker knows of instructions whose checks are in line; the first member of its FlatTable. Outside flat launches, and
/// where what lanes do is watched otherwise, nothing is known of any.
struct FlatSites {
  teamsan_flat_site sites[teamsan_flat_sites];
};
extern FlatSites const no_flat_sites[1];

struct alignas(128) Hot {
  std::uintptr_t scratch_begin = 0;
  std::uintptr_t scratch_bytes = 0;  ///< 0 outside checked kernels
  Cell* scratch_cells = nullptr;     ///< nullptr: another shard checks the team's scratch
  std::uintptr_t global_bytes = 0;   ///< 0 outside checked kernels
  TeamShadow::Entry* index = nullptr;
  std::uint16_t index_shift = 0;
  std::uint16_t warp_lane = 0;      ///< in its warp
  Who me = 0;                        ///< stamp and lane of the running lane
  Who floor = 0;                     ///< stamps below were before the team's last barrier
  std::int32_t slice = 0;            ///< repeated accesses left before another lane runs
  std::uintptr_t ignore_begin = arena::end;
  std::uintptr_t ignore_bytes = arena::program - arena::end;  ///< wraps around: all but the arena
  RunningLane* lane = nullptr;       ///< nullptr on host threads
  Team* team = nullptr;
  std::uintptr_t* call_top = nullptr;  ///< call sites of the running lane, see Functions.cpp
  std::uintptr_t* call_end = nullptr;  ///< so many have room; nullptr on host threads
  Who other_thread = who::lane_mask;   ///< lane bits that differ between threads of the team
  std::uint32_t in_runtime = 0;        ///< > 0 while TeamSan's own code runs
  WarpRecord* warp_next = nullptr;  ///< what the lane's warp did next, see WarpLog.hpp; nullptr: not counted
  Watch watch = Watch::checked;
  bool flat_shared = false;            ///< other workers join flat words, too, or lanes do not come in their order
  Who reads_before = 0;                ///< reads of the running lane's thread stamped below are ordered before it
  // A third line, that only recording and what is not checked look at.
  traces::Expected* trace_next = nullptr;  ///< what the running lane is expected to do next; nullptr: nobody records
  trace::TeamTrace* team_trace = nullptr;  ///< that it records into, while trace_next is set
  trace::Answers* answers = nullptr;       ///< of a replay; nullptr: the program runs
  std::uintptr_t passed_over = 0;          ///< the last address that was accessed unchecked
  std::uintptr_t others_bytes = 0;         ///< of scratch at scratch_begin, if another shard checks it
  std::uint64_t flat_word = 0;             ///< the running lane's, of a flat launch: epoch and lane
  std::uint32_t flat_lane = 0;
  bool flat_loads = false;                 ///< some loads are updates, see FlatShadow
  bool unwatched = false;                  ///< nothing of the running launch is checked, nor what its atomics order
  bool of_range = false;                   ///< lanes of a range run, whichever way they are judged
  std::uint8_t locks = 0;                  ///< of Kokkos' own that the team's lanes hold (check/LockedCells.hpp)
  FlatTable* flat_table = nullptr;
  FlatShadow* flat_shadow = nullptr;
  std::uint64_t flat_mark = 1;  ///< of what this worker holds (FlatHolds.hpp); no_mark: lanes do not come in their order
  std::uintptr_t outer_frames = ~std::uintptr_t{0};  ///< where the lane's stack holds what is older than its nested range
  AccessHandlers const* handlers = access_handlers;  ///< of `watch`
  std::uint64_t accesses = 0;  ///< while they are weighed
  std::uint32_t lanes_ahead = 0;  ///< that may begin in line, behind the running one (machine/NextLane.hpp), each with this
  std::int32_t first_slice = 0;   ///< slice, and
  std::uintptr_t* lanes_calls = nullptr;  ///< no more calls than up to here
  FlatSites const* flat_sites = no_flat_sites;  ///< of what is checked in line

  void set_watch(Watch now) {
    watch = now;
    handlers = access_handlers + static_cast<unsigned>(now);
    flat_sites = now == Watch::flat ? reinterpret_cast<FlatSites const*>(flat_table) : no_flat_sites;
  }
  bool counts() const {
    return watch == Watch::counted || watch == Watch::counted_and_recorded || watch == Watch::flat_and_counted;
  }
  bool is_flat() const {
    return watch == Watch::flat || watch == Watch::flat_and_counted || watch == Watch::flat_and_weighed;
  }
};
static_assert(sizeof(Hot) == 256);

/// By a name that objects of checked programs refer to (entry/pass/Abi.h).
extern thread_local constinit Hot hot asm(TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE))
    __attribute__((tls_model("initial-exec"), visibility("default")));

/// TeamSan's own code runs: memory functions are not checked.
struct RuntimeScope {
  // The barriers: the compiler knows memcpy not to read `hot` and would merge the two around it.
  RuntimeScope() {
    ++hot.in_runtime;
    asm volatile("" ::: "memory");
  }
  ~RuntimeScope() {
    asm volatile("" ::: "memory");
    --hot.in_runtime;
  }
};

/// A backend's own step runs on a lane (the combining of a reduction): nothing it touches is checked.
struct UncheckedScope {
  UncheckedScope() : m_scratch(hot.scratch_bytes), m_global(hot.global_bytes), m_watch(hot.watch) {
    hot.scratch_bytes = hot.global_bytes = 0;
    hot.set_watch(Watch::nothing);
    ++hot.in_runtime;
    asm volatile("" ::: "memory");
  }
  ~UncheckedScope() {
    asm volatile("" ::: "memory");
    hot.scratch_bytes = m_scratch;
    hot.global_bytes = m_global;
    hot.set_watch(m_watch);
    --hot.in_runtime;
  }

 private:
  std::uintptr_t m_scratch, m_global;
  Watch m_watch;
};

}  // namespace teamsan
