// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamTrace.hpp"

#include "../base/Arena.hpp"

namespace teamsan::trace {

void TeamTrace::begin() {
  m_encoder.begin();
  m_keys_taken = 0;
  m_more_sites.clear();
}

void TeamTrace::take(TeamRecording& to) {
  auto const& keys = m_encoder.keys();
  Site last{};
  for (; m_keys_taken != keys.size(); ++m_keys_taken)
    if (Site const site = traces::site_of(keys[m_keys_taken].key); site != Site{} && site != last)
      to.sites.push_back(last = site);
  to.sites.insert(to.sites.end(), m_more_sites.begin(), m_more_sites.end());
  m_more_sites.clear();
  if (m_encoder.size() != 0) to.pieces.push_back({m_encoder.take_bytes(), 0});
}

void note_slowly(std::uint64_t key, std::uint64_t operand) {
  if (traces::kind_of(key) != EventKind::meet && traces::follow(hot.trace_next, key, operand)) return;
  RuntimeScope const scope;
  if (!hot.team_trace->is_of_atomic(key, operand)) hot.team_trace->add(key, operand);
}

void note_atomic(AtomicDeed const& deed) {
  RuntimeScope const scope;
  hot.team_trace->open_atomic(deed);
}

void note_defined(EventKind kind, Site site, std::string_view definition, std::uint64_t detail) {
  RuntimeScope const scope;
  std::uint64_t const number = hot.team_trace->define(definition);
  note_slowly(traces::event_key(kind, site, detail), number);
}

void note_places(std::vector<Site> const& sites) { hot.team_trace->note_places(sites); }

void note_access(std::uint64_t key, std::uintptr_t address) {
  if (hot.in_runtime != 0 || address - hot.ignore_begin < hot.ignore_bytes) return;
  if (traces::kind_of(key) == EventKind::read && arena::contains(arena::constant, arena::constant_bytes, address))
    return;
  note_slowly(key, address);
}

void note_end(EventKind kind, LaneEnd const& end) {
  note_places(end.callers);
  note_defined(kind, end.site, definition_of(end));
}

void note_range(EventKind kind, std::uintptr_t address, std::size_t bytes, Site site) {
  if (hot.trace_next == nullptr || hot.in_runtime != 0) return;
  note_slowly(traces::event_key(EventKind::extent, site), bytes);
  note_slowly(traces::event_key(kind, site), address);
}

}  // namespace teamsan::trace
