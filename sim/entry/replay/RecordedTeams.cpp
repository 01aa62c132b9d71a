// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RecordedTeams.hpp"

#include "TeamReplay.hpp"
#include "../../../traces/RecordVisit.hpp"

#include <algorithm>
#include <optional>

namespace teamsan::trace {

using namespace traces;

std::uint64_t RecordedTeams::next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size) {
  if (m_trace.damaged()) return size;
  return m_trace.guarded([&] { return find_next_team(launch, league_rank, size); }, size);
}

bool RecordedTeams::begin_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes,
                               std::unique_ptr<Answers>& answers) {
  if (m_trace.damaged()) return false;
  if (!answers) answers = std::make_unique<TeamReplay>(*this);
  return m_trace.guarded([&] { return find_team(launch, league_rank, lanes, static_cast<TeamReplay&>(*answers)); }, false);
}

std::unordered_map<std::uint64_t, bool> const& RecordedTeams::verdicts(std::uint64_t launch, std::uint64_t league_rank) {
  m_verdicts.clear();
  bool const whole = m_trace.guarded([&] { return find_verdicts(launch, league_rank), true; }, false);
  if (!whole) m_verdicts.clear();
  return m_verdicts;
}

bool RecordedTeams::read_piece(std::uint64_t launch, std::uint64_t league_rank, Position& from, Bytes& bytes, bool& last) {
  return m_trace.guarded([&] { return find_piece(launch, league_rank, from, bytes, last); }, false);
}

std::uint64_t RecordedTeams::find_next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size) {
  Position at = m_team_scan;
  for (TraceRecord record; m_trace.read(at, record);) {
    auto const tag = static_cast<RecordTag>(record.tag);
    if (tag == RecordTag::launch || tag == RecordTag::launch_end) break;
    if (tag != RecordTag::piece) continue;
    ByteReader numbers(record.bytes);
    if (numbers.number() != launch) break;
    if (std::uint64_t const rank = numbers.number(); rank >= league_rank) return std::min(rank, size);
  }
  return size;
}

bool RecordedTeams::find_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes, TeamReplay& team) {
  std::optional<Position> first;
  bool whole = false;
  return scan(m_team_scan, launch, league_rank, [&](Position at, TraceRecord const& record) {
    visit(record, [&](PieceRecord const& piece) {
      if (piece.league_rank != league_rank) return;
      if (piece.first) first = at;
      whole = piece.last && first;
    });
    if (whole) team.begin(launch, league_rank, lanes, *first);
    return whole;
  });
}

bool RecordedTeams::find_piece(std::uint64_t launch, std::uint64_t league_rank, Position& from, Bytes& bytes, bool& last) {
  bool found = false;
  return scan(from, launch, league_rank, [&](Position, TraceRecord const& record) {
    visit(record, [&](PieceRecord const& piece) {
      if (piece.league_rank != league_rank) return;
      bytes.assign(piece.bytes.begin(), piece.bytes.end());
      last = piece.last;
      found = true;
    });
    return found;
  });
}

void RecordedTeams::find_verdicts(std::uint64_t launch, std::uint64_t league_rank) {
  bool found = false;
  scan(m_verdict_scan, launch, league_rank, [&](Position, TraceRecord const& record) {
    visit(record, [&](VerdictsRecord const& verdicts) {
      if (verdicts.league_rank != league_rank) return;
      for (std::uint64_t const v : verdicts.verdicts) m_verdicts[v >> 1] = v & 1;
      found = true;
    });
    return found;
  });
}

/// f(position, record) for the records of the launch from `at` on, until it returns true or the records of later teams begin.
/// `at` stays in front of what was not for this team.
template <class F>
bool RecordedTeams::scan(Position& at, std::uint64_t launch, std::uint64_t league_rank, F f) {
  for (Position here = at;; at = here) {
    TraceRecord record;
    if (!m_trace.read(here, record)) return false;
    if (m_trace.program().learn(record)) continue;
    auto const tag = static_cast<RecordTag>(record.tag);
    if (tag == RecordTag::launch || tag == RecordTag::launch_end) return false;
    if (tag == RecordTag::piece || tag == RecordTag::verdicts) {
      ByteReader numbers(record.bytes);
      if (numbers.number() != launch || numbers.number() > league_rank) return false;
    }
    Position const before = at;
    if (!f(before, record)) continue;
    at = here;
    return true;
  }
}

}  // namespace teamsan::trace
