// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../base/LaneTable.hpp"

#include "../base/Arena.hpp"
#include "../detect/LaunchChecks.hpp"
#include "../machine/Commit.hpp"
#include "../machine/Fiber.hpp"
#include "../machine/RunningTeam.hpp"
#include "../machine/Worker.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/GlobalShadow.hpp"

#include <cstddef>
#include <iterator>

#pragma GCC diagnostic ignored "-Winvalid-offsetof"  // GCC and Clang lay these classes out as plain structs

namespace teamsan {

/// A friend of those whose members it names.
struct LaneTable {
#define TEAMSAN_MEMBER(type, member) {#type "." #member, offsetof(type, member)}
#define TEAMSAN_SIZE(type) {#type, sizeof(type)}
#define TEAMSAN_NAMED(name) {#name, name}
  static constexpr TeamsanField fields[] = {
      TEAMSAN_MEMBER(Worker, m_next), TEAMSAN_MEMBER(Worker, m_hot), TEAMSAN_MEMBER(Worker, m_thread),
      TEAMSAN_MEMBER(Worker, m_teams), TEAMSAN_MEMBER(Worker, m_idle),

      TEAMSAN_MEMBER(Hot, lane), TEAMSAN_MEMBER(Hot, team), TEAMSAN_MEMBER(Hot, in_runtime),

      TEAMSAN_MEMBER(LaunchState, facts), TEAMSAN_MEMBER(LaunchState, steps), TEAMSAN_MEMBER(LaunchState, epoch),
      TEAMSAN_MEMBER(LaunchState, commit),
      TEAMSAN_MEMBER(LaunchFacts, config), TEAMSAN_MEMBER(LaunchFacts, number),
      TEAMSAN_MEMBER(LaunchFacts, warp_width),
      TEAMSAN_MEMBER(LaunchConfig, label), TEAMSAN_MEMBER(LaunchConfig, policy), TEAMSAN_MEMBER(LaunchConfig, region),
      TEAMSAN_MEMBER(LaunchConfig, league_size), TEAMSAN_MEMBER(LaunchConfig, team_size),
      TEAMSAN_MEMBER(LaunchConfig, vector_length),
      TEAMSAN_MEMBER(CommitQueue, m_next), TEAMSAN_MEMBER(LaunchState, checks), TEAMSAN_MEMBER(detect::LaunchChecks, m_context),
      TEAMSAN_MEMBER(detect::CommitContext, sites), TEAMSAN_MEMBER(detect::CommitContext, wide_league),
      TEAMSAN_MEMBER(detect::SiteTable, m_sites),

      TEAMSAN_MEMBER(Team, m_launch), TEAMSAN_MEMBER(Team, m_league_rank), TEAMSAN_MEMBER(Team, m_checked),
      TEAMSAN_MEMBER(Team, m_lanes), TEAMSAN_MEMBER(Team, m_count), TEAMSAN_MEMBER(RunningTeam, m_alive),
      TEAMSAN_MEMBER(RunningTeam, m_lone.alone), TEAMSAN_MEMBER(RunningTeam, m_lone.one),
      TEAMSAN_MEMBER(RunningTeam, m_meetings.at_team), TEAMSAN_MEMBER(RunningTeam, m_meetings.meeting),
      TEAMSAN_MEMBER(RunningTeam, m_meetings.site),
      TEAMSAN_MEMBER(Team, m_clock.interval), TEAMSAN_MEMBER(Team, m_clock.last_barrier), TEAMSAN_MEMBER(Team, m_clock.floor),
      TEAMSAN_MEMBER(RunningTeam, m_patience.spun), TEAMSAN_MEMBER(Team, m_scratch), TEAMSAN_MEMBER(Team, m_shadow),

      TEAMSAN_SIZE(LaneState), TEAMSAN_MEMBER(LaneState, lane), TEAMSAN_MEMBER(LaneState, status),
      TEAMSAN_MEMBER(LaneState, waits.meeting), TEAMSAN_MEMBER(LaneState, scopes), TEAMSAN_MEMBER(LaneState, waits.site),
      TEAMSAN_MEMBER(LaneState, stack.fiber),
      TEAMSAN_MEMBER(Fiber, context), TEAMSAN_MEMBER(Fiber, stack_begin), TEAMSAN_MEMBER(Fiber, stack_bytes),

      TEAMSAN_MEMBER(Scratch, m_begin), TEAMSAN_MEMBER(Scratch, m_next), TEAMSAN_MEMBER(Scratch, m_pieces),
      TEAMSAN_MEMBER(Scratch, m_names), TEAMSAN_MEMBER(Scratch, m_bytes),
      TEAMSAN_SIZE(ScratchPiece), TEAMSAN_MEMBER(ScratchPiece, begin), TEAMSAN_MEMBER(ScratchPiece, bytes),
      TEAMSAN_MEMBER(ScratchPiece, level), TEAMSAN_MEMBER(ScratchPiece, per_thread),
      TEAMSAN_MEMBER(ScratchPiece, thread), TEAMSAN_MEMBER(ScratchPiece, site),
      TEAMSAN_SIZE(Scratch::Name), TEAMSAN_MEMBER(Scratch::Name, address), TEAMSAN_MEMBER(Scratch::Name, name),

      TEAMSAN_MEMBER(TeamShadow, m_index), TEAMSAN_MEMBER(TeamShadow, m_shift),
      TEAMSAN_MEMBER(TeamShadow, m_known),
      TEAMSAN_MEMBER(Line, first), TEAMSAN_MEMBER(LineChunk, more), TEAMSAN_MEMBER(Line, per_byte),
      TEAMSAN_MEMBER(Line, wide),
      TEAMSAN_MEMBER(ByteLine, first), TEAMSAN_MEMBER(ByteLine, second),

      TEAMSAN_SIZE(Allocation), TEAMSAN_MEMBER(Allocation, begin), TEAMSAN_MEMBER(Allocation, header_bytes),
      TEAMSAN_MEMBER(Allocation, bytes), TEAMSAN_MEMBER(Allocation, space), TEAMSAN_MEMBER(Allocation, live),
      TEAMSAN_MEMBER(Allocation, label), TEAMSAN_NAMED(AllocationTable::per_chunk),

      TEAMSAN_NAMED(arena::device), TEAMSAN_NAMED(arena::shared), TEAMSAN_NAMED(arena::pinned),
      TEAMSAN_NAMED(arena::global_bytes), TEAMSAN_NAMED(arena::scratch), TEAMSAN_NAMED(arena::scratch_bytes),
      TEAMSAN_NAMED(arena::scratch_slot_bytes), TEAMSAN_NAMED(arena::constant),
      TEAMSAN_NAMED(arena::constant_bytes), TEAMSAN_NAMED(arena::stacks), TEAMSAN_NAMED(arena::stacks_bytes),
      TEAMSAN_NAMED(arena::global_cells), TEAMSAN_NAMED(arena::global_extras),
      TEAMSAN_NAMED(arena::global_ticks),
      TEAMSAN_NAMED(arena::scratch_cells), TEAMSAN_NAMED(arena::scratch_seconds),
      TEAMSAN_NAMED(arena::granule_owners), TEAMSAN_NAMED(arena::granule_bytes),
      TEAMSAN_NAMED(arena::chunk_owners), TEAMSAN_NAMED(arena::chunk_bytes),

      {"LaneStatus:fresh", static_cast<std::uint64_t>(LaneStatus::fresh)},
      {"LaneStatus:ready", static_cast<std::uint64_t>(LaneStatus::ready)},
      {"LaneStatus:at_team_meeting", static_cast<std::uint64_t>(LaneStatus::at_team_meeting)},
      {"LaneStatus:at_thread_meeting", static_cast<std::uint64_t>(LaneStatus::at_thread_meeting)},
      {"LaneStatus:done", static_cast<std::uint64_t>(LaneStatus::done)},
      {"Policy:RangePolicy", static_cast<std::uint64_t>(Policy::range)},
      {"Policy:MDRangePolicy", static_cast<std::uint64_t>(Policy::md_range)},
      {"Policy:TeamPolicy", static_cast<std::uint64_t>(Policy::team)},
      {"Policy:WorkGraphPolicy", static_cast<std::uint64_t>(Policy::work_graph)},
#define TEAMSAN_MEETING(name, meets, documented, cuda, hip, construct, documentation, cuda_text, hip_text) \
  {"Meeting:" construct, static_cast<std::uint64_t>(Meeting::name)},
#include "../base/Synchronisation.def"
#undef TEAMSAN_MEETING
  };
};

}  // namespace teamsan

// gdb runs it when it loads the program, if its auto-load safe-path lets it (sim/gdb).
asm(".pushsection \".debug_gdb_scripts\", \"MS\", @progbits, 1\n"
    ".byte 4\n"
    ".incbin \"" TEAMSAN_GDB_SCRIPT "\"\n"
    ".byte 0\n"
    ".popsection\n");

#pragma GCC visibility push(default)
extern "C" {

[[gnu::used]] constinit TeamsanLaneTable __teamsan_lane_table{
    {'T', 'E', 'A', 'M', 'S', 'A', 'N', 0}, 1, std::size(teamsan::LaneTable::fields), teamsan::LaneTable::fields,
    nullptr, nullptr, 0, nullptr, nullptr, nullptr};

[[gnu::noinline, gnu::used]] void __teamsan_on_report(TeamsanReport const* report) {
  asm volatile("" : : "r"(report) : "memory");
}
}
#pragma GCC visibility pop
