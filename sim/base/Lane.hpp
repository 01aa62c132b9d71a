// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lane of the simulated GPU, and the words in which it asks for things: as the machine runs it, a trace holds it and rules
/// speak of it. What it can ask for: machine/Lane.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// Where a lane stands. The layout is fixed: debuggers read it (see __teamsan_lane_table), and checked programs are compiled
/// with it, so that a change asks for another TEAMSAN_ABI_STATE (entry/pass/Abi.h).
struct Lane {
  std::uint64_t league_rank;    ///< block
  std::uint64_t league_size;    ///< blocks of the launch
  std::uint32_t thread;         ///< team_rank, y
  std::uint32_t team_size;      ///< threads of the team
  std::uint32_t vector_lane;    ///< x
  std::uint32_t vector_length;  ///< lanes of a thread
  std::uint32_t index;          ///< thread * vector_length + vector_lane: x fastest, as on a GPU
  /// Lanes of the thread that this one stands for, the only one of it: their work it does in their order. 1: for itself.
  std::uint32_t folded = 1;
};

/// The Kokkos construct by which lanes meet. Synchronisation.def says for each who meets and what that orders.
enum class Meeting : std::uint8_t {
#define TEAMSAN_MEETING(name, meets, documented, cuda, hip, construct, documentation, cuda_text, hip_text) name,
#include "Synchronisation.def"
#undef TEAMSAN_MEETING
};

/// What the code that joins lanes' values on a device hangs on; bits, as traces hold them (a `meet` event's operand).
enum class Join : std::uint8_t {
  plain = 0,
  narrow = 1,     ///< values of 4 bytes and less
  branching = 2,  ///< stores its result under a condition, as minima and maxima do
  narrow_branching = 3
};

/// A lane's whole work, called once per lane on the lane's own stack, but for lanes that an earlier one's call has done with,
/// too (next_lane). `kernel` points to the copy of the kernel object in the simulated constant memory.
using LaneFunction = void (*)(void const* kernel, Lane const& lane);

/// The same work in steps, behind each of which but the last all lanes of the team meet, as in a scan. The machine may run a
/// step for one lane after the other, instead of LaneFunction.
struct LaneSteps {
  /// Of each lane of the team, alike.
  std::uint64_t (*count)(void const* kernel, Lane const& lane);
  /// `value`: bytes of the lane's own, kept from one step to the next. Behind them are those of the lane behind it, if that
  /// runs in the same call (next_lane).
  void (*run)(void const* kernel, Lane const& lane, std::uint64_t step, void* value);
  /// Behind the step, when all lanes of the team have met; `lane` is any of them, `values` are all lanes'.
  void (*met)(void const* kernel, Lane const& lane, std::uint64_t step, void* const* values, std::uint32_t lanes);
  Meeting meeting;
  void const* site;  ///< of the meetings
  std::size_t value_bytes;
};

/// All lanes of a flat launch's blocks from `begin` up to `end`, in one call that tells the machine nothing: of a kernel none
/// of whose lanes can wait for another one, throw or print. False, and none has run: it is no such kernel.
using BlocksFunction = bool (*)(void const* kernel, std::uint64_t begin, std::uint64_t end);

/// What runs in the place of a launch's LaneFunction where nothing is checked: bodies that tell nobody what they access, which
/// a compiler's plug-in makes (sim/entry/pass). nullptr: there is none.
struct PlainBodies {
  LaneFunction lane = nullptr;
  BlocksFunction blocks = nullptr;

  /// May `blocks` run the kernel's lanes?
  bool run_together(void const* kernel) const { return blocks != nullptr && blocks(kernel, 0, 0); }
  /// Is there anything in the kernel by which a lane may tell another one that something is done: a fence, an atomic that is
  /// more than an update, what is volatile? False, too, where that is not known: no plug-in, calls of other files' functions.
  bool may_hand_over(void const* kernel) const { return blocks != nullptr && blocks(kernel, 1, 0); }
};

/// The nested construct a lane is inside of. Nesting that the hierarchy does not have is a `nesting` finding.
enum class Scope : std::uint8_t {
  team_thread_range,
  thread_vector_range,
  team_vector_range,
  single_per_team,
  single_per_thread,
  kernel  ///< a launch from inside a kernel, which is not carried out
};

/// A lane's view of its team's scratch, handed out piece by piece as Kokkos' ScratchMemorySpace does.
/// Level is 0 or 1. Offsets count bytes as on the device; TeamSan places poisoned gaps between pieces,
/// which the modelled address leaves out.
struct ScratchRequest {
  int level;
  bool per_thread;             ///< member.thread_scratch(level) instead of member.team_scratch(level)
  std::uint32_t thread;        ///< whose, if per_thread
  /// In device bytes. Kokkos hands out team and thread pieces of a level from one region: `begin` is relative to the
  /// region's start, and thread t's piece lies at begin + t * bytes.
  std::size_t begin, bytes;
  /// Of the address asked for, not always a power of two: Kokkos aligns a scratch View to its element's size.
  std::size_t alignment = 1;
};

}  // namespace teamsan
