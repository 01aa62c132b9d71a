// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessVisitor.hpp"

#include "TraceError.hpp"

namespace teamsan::traces {

char const* name_of(LaneAccess::Kind kind) {
  switch (kind) {
    case LaneAccess::Kind::read: return "read";
    case LaneAccess::Kind::write: return "write";
    case LaneAccess::Kind::atomic_read: return "atomic read";
    case LaneAccess::Kind::atomic_write: return "atomic write";
    case LaneAccess::Kind::atomic_update: return "atomic update";
  }
  return "";
}

void AccessVisitor::on_team(std::uint64_t league_rank) {
  m_league_rank = league_rank;
  m_intervals.assign(std::size_t{m_launch.config.team_size} * m_launch.config.vector_length, 0);
  m_extents.assign(m_intervals.size(), 0);
}

void AccessVisitor::on_event(std::uint32_t lane, Event const& e, EventDecoder const&) {
  using Kind = LaneAccess::Kind;
  if (lane >= m_intervals.size()) throw TraceError("a lane that its team does not have");
  auto const tell = [&](Kind kind, std::uint64_t bytes) {
    on_access({kind, lane, m_intervals[lane], e.operand, bytes, e.site()});
  };
  switch (e.kind()) {
    case EventKind::read: return tell(Kind::read, 1u << e.detail());
    case EventKind::write: return tell(Kind::write, 1u << e.detail());
    case EventKind::extent: m_extents[lane] = e.operand; return;
    case EventKind::range_read:
    case EventKind::note_read: return tell(Kind::read, m_extents[lane]);
    case EventKind::range_write:
    case EventKind::note_write: return tell(Kind::write, m_extents[lane]);
    case EventKind::atomic:
    case EventKind::deed: {
      AtomicDeed const deed = e.deed();
      using enum model::Operation;
      return tell(deed.operation == load    ? Kind::atomic_read
                  : deed.operation == store ? Kind::atomic_write
                                            : Kind::atomic_update,
                  deed.bytes());
    }
    case EventKind::meet:
      if (m_run.is_team_meeting(e.detail())) ++m_intervals[lane];
      return;
    default:
      return;
  }
}

}  // namespace teamsan::traces
