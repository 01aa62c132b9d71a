// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamTrace.hpp"

#include "../base/Arena.hpp"

namespace teamsan::trace {

void TeamTrace::begin() {
  m_encoder.begin();
  m_keys_taken = 0;
  m_more_pcs.clear();
}

void TeamTrace::take(TeamRecording& to) {
  auto const& keys = m_encoder.keys();
  std::uint64_t last = 0;
  for (; m_keys_taken != keys.size(); ++m_keys_taken)
    if (std::uint64_t const pc = traces::pc_of(keys[m_keys_taken].key); pc != 0 && pc != last)
      to.pcs.push_back(last = pc);
  to.pcs.insert(to.pcs.end(), m_more_pcs.begin(), m_more_pcs.end());
  m_more_pcs.clear();
  if (m_encoder.size() != 0) to.pieces.push_back({m_encoder.take_bytes(), 0});
}

void note_slowly(std::uint64_t key, std::uint64_t operand) {
  if (traces::kind_of(key) != EventKind::meet && traces::follow(hot.trace_next, key, operand)) return;
  RuntimeScope const scope;
  hot.team_trace->add(key, operand);
}

void note_defined(EventKind kind, std::uintptr_t pc, std::string_view definition, std::uint64_t detail) {
  RuntimeScope const scope;
  std::uint64_t const number = hot.team_trace->define(definition);
  note_slowly(traces::event_key(kind, pc, detail), number);
}

void note_places(std::vector<std::uintptr_t> const& pcs) { hot.team_trace->note_places(pcs); }

void note_access(std::uint64_t key, std::uintptr_t address) {
  if (hot.in_runtime != 0 || address - hot.ignore_begin < hot.ignore_bytes) return;
  if (traces::kind_of(key) == EventKind::read && arena::contains(arena::constant, arena::constant_bytes, address))
    return;
  note_slowly(key, address);
}

void note_end(EventKind kind, LaneEnd const& end) {
  note_places(end.callers);
  note_defined(kind, end.pc, definition_of(end));
}

void note_range(EventKind kind, std::uintptr_t address, std::size_t bytes, std::uintptr_t pc) {
  if (hot.trace_next == nullptr || hot.in_runtime != 0) return;
  note_slowly(traces::event_key(EventKind::extent, pc), bytes);
  note_slowly(traces::event_key(kind, pc), address);
}

}  // namespace teamsan::trace
