// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TraceWalk.hpp"

#include "RecordVisit.hpp"

#include <algorithm>

namespace teamsan::traces {

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t const star = pattern.find('*');
  if (star == pattern.npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  for (std::size_t at = star; at <= text.size(); ++at)
    if (matches(pattern.substr(star + 1), text.substr(at))) return true;
  return false;
}

bool TraceFilter::wants(LaunchRecord const& l) const {
  bool const named = launches.empty() || std::find(launches.begin(), launches.end(), l.number) != launches.end();
  return named && (kernel.empty() || matches(kernel, l.config.label));
}

bool TraceFilter::wants_team(std::uint64_t rank) const {
  return team >= 0 ? static_cast<std::uint64_t>(team) == rank : teams == 0 || rank < teams;
}

namespace {

class Walk {
 public:
  Walk(TraceReader& reader, TraceFilter const& filter, TraceVisitor& visitor, bool events)
      : m_reader(reader), m_filter(filter), m_visitor(visitor), m_events(events) {}

  void take(TraceRecord const& record) {
    bool const is_piece = static_cast<RecordTag>(record.tag) == RecordTag::piece;
    if (!is_piece || (m_wanted && m_events)) visit(record, *this);
  }

  // What each record is to the visitor (RecordVisit.hpp).
  void operator()(RunRecord const& r) { m_visitor.on_run(r); }
  void operator()(FramesRecord const& r) { m_visitor.on_frames(r); }
  void operator()(SourceRecord const& r) { m_visitor.on_source(r); }
  void operator()(AllocateRecord const& r) { m_visitor.on_allocate(r); }
  void operator()(FreeRecord const& r) { m_visitor.on_free(r); }
  void operator()(LaunchRecord const& r) {
    m_wanted = m_filter.wants(r);
    m_team = false;
    m_visitor.on_launch(r, m_wanted);
  }
  void operator()(LaunchEndRecord const& r) {
    m_wanted = false;
    m_visitor.on_launch_end(r);
  }
  void operator()(FindingRecord const& r) { m_visitor.on_finding(r); }
  void operator()(FindingIdRecord const& r) { m_visitor.on_finding_id(r); }
  void operator()(PieceRecord const& p) {
    if (!m_filter.wants_team(p.league_rank)) return;
    if (p.first) {
      m_team = true;
      m_decoder.begin();
      m_visitor.on_team(p.league_rank);
    }
    if (!m_team) throw TraceError("a team that does not begin");
    m_decoder.feed(p.bytes);
    std::uint32_t lane = 0;
    for (Event event; m_decoder.next(lane, event);) {
      m_reader.spend(1);
      m_visitor.on_event(lane, event, m_decoder);
    }
    if (!p.last) return;
    m_team = false;
    m_visitor.on_team_end(p.league_rank);
  }

 private:
  TraceReader& m_reader;
  TraceFilter const& m_filter;
  TraceVisitor& m_visitor;
  bool const m_events;
  bool m_wanted = false;
  bool m_team = false;  ///< one has begun
  EventDecoder m_decoder;
};

}  // namespace

std::string walk(std::string const& file, TraceFilter const& filter, TraceVisitor& visitor, bool events) {
  TraceReader reader(file);
  Walk walk(reader, filter, visitor, events);
  try {
    for (TraceRecord record; reader.next(record);) walk.take(record);
  } catch (TraceError const& error) {
    return damage_of(file, error);
  }
  return reader.damage();
}

}  // namespace teamsan::traces
