// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NestedAccumulators.hpp"

#include "../machine/Team.hpp"

#include <cstring>

namespace teamsan::detect {

void* NestedAccumulators::begin(std::uint32_t lane, std::uint32_t lanes, void const* initial, std::size_t bytes) {
  if (bytes > most_bytes) return nullptr;
  if (m_lanes.empty()) {
    m_lanes.resize(lanes);
    m_room.resize(lanes * most_deep);
  }
  std::vector<Reduction>& reductions = m_lanes[lane];
  if (reductions.size() == most_deep) return nullptr;
  std::byte* const room = room_of(lane, reductions.size());
  std::memcpy(room, initial, bytes);
  reductions.push_back({bytes, {}, ValueCopy(bytes, initial), ValueCopy(bytes, initial)});
  return room;
}

void NestedAccumulators::note(Access const& access, bool result) {
  std::size_t const offset = access.address - reinterpret_cast<std::uintptr_t>(m_room.data());
  std::size_t const room = offset / most_bytes;
  std::vector<Reduction>& reductions = m_lanes[room / most_deep];
  if (room % most_deep >= reductions.size()) return;
  Reduction& r = reductions[room % most_deep];
  if (offset % most_bytes >= r.bytes) return;
  // What a construct leaves in all lanes (a single with a value, a broadcast) may be made of what was there.
  Access as = access;
  if (hot.lane->storing_result && !result) as.kind = AccessKind::read;
  r.overwrites.note(as, offset % most_bytes, r.bytes);
}

void NestedAccumulators::end_iteration(Reduction& r, void const* value, void const* reducer, ReducedValueCalls const& calls) {
  r.overwrites.end_iteration();
  if (r.overwrites.latest() && !calls.equal(r.initial.data(), r.before.data(), r.bytes)) {
    ValueCopy joined(r.bytes, r.before.data());
    calls.join(reducer, joined.data(), r.before.data());
    if (!calls.equal(joined.data(), r.before.data(), r.bytes)) {
      r.lost_value = r.lost_value || !r.overwrites.alike(calls, value, r.before.data(), r.bytes);
    } else {
      joined.set(r.before.data());
      calls.join(reducer, joined.data(), value);
      ValueCopy joined_before(r.bytes, value);
      calls.join(reducer, joined_before.data(), r.before.data());
      r.lost_join = r.lost_join || (!r.overwrites.alike(calls, value, joined.data(), r.bytes) &&
                                    !r.overwrites.alike(calls, value, joined_before.data(), r.bytes));
    }
  }
  r.before.set(value);
}

void NestedAccumulators::next_iteration(std::uint32_t lane, void const* reducer, ReducedValueCalls const& calls) {
  Reduction& r = m_lanes[lane].back();
  if (r.overwrites.iterations() != 0) end_iteration(r, room_of(lane, m_lanes[lane].size() - 1), reducer, calls);
  r.overwrites.next_iteration();
}

void NestedAccumulators::end(Team& team, std::uint32_t lane, void const* reducer, ReducedValueCalls const& calls,
                             bool of_scan) {
  Reduction& r = m_lanes[lane].back();
  if (r.overwrites.iterations() != 0) end_iteration(r, room_of(lane, m_lanes[lane].size() - 1), reducer, calls);
  bool const always = r.overwrites.always();
  if ((r.lost_join && !of_scan) || ((r.lost_join || r.lost_value) && always)) r.overwrites.tell(team, lane, of_scan, always);
  m_lanes[lane].pop_back();
}

}  // namespace teamsan::detect
