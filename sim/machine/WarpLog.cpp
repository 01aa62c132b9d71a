// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WarpLog.hpp"

#include "RunningTeam.hpp"

#include <algorithm>

namespace teamsan {

constinit WarpRecord no_record{};

void WarpLog::begin(std::uint32_t lanes, std::uint32_t warp_width) {
  m_width = warp_width;
  m_shift = static_cast<std::uint32_t>(std::countr_zero(warp_width));
  m_lanes = lanes;
  m_used_warps = (lanes + warp_width - 1) / warp_width;
  if (m_warps.size() < m_used_warps) m_warps.resize(m_used_warps);
  m_next.resize(lanes);
  m_common.assign(lanes, 0);
  m_scope_sites.resize(lanes);
  for (std::uint32_t w = 0; w != m_used_warps; ++w) clear(w);
}

Site WarpLog::ScopeSites::innermost(std::uint32_t scopes) const {
  using enum Scope;
  for (Scope const s : {single_per_thread, single_per_team, thread_vector_range, team_vector_range, team_thread_range})
    if (scopes >> static_cast<unsigned>(s) & 1) return of[static_cast<unsigned>(s)];
  return Site{};
}

void WarpLog::enter_scope(Scope scope, Site site) {
  m_scope_sites[hot.lane->lane.index].of[static_cast<unsigned>(scope)] = site;
}

void WarpLog::clear(std::uint32_t warp) {
  Warp& w = m_warps[warp];
  if (w.records.empty()) w.records.resize(64);
  if (w.slots.empty()) w.slots.resize(32);
  w.count = 0;
  ++w.window;
  WarpRecord* const first = &w.records[1];
  first->key = 0;
  std::ranges::fill(first->plain, WarpRecord::no_site);
  std::uint32_t const end = std::min(m_lanes, (warp + 1) * m_width);
  for (std::uint32_t lane = warp * m_width; lane < end; ++lane) m_next[lane] = first;
  if (m_lane != nobody && warp_of(m_lane) == warp) hot.warp_next = first;
}

std::uint32_t WarpLog::common_of(std::uint32_t lane) const {
  WarpRecord const* const next = lane == m_lane ? hot.warp_next : m_next[lane];
  return next == &no_record ? m_common[lane] : static_cast<std::uint32_t>(next - m_warps[warp_of(lane)].records.data());
}

std::uint64_t WarpLog::lanes_before(std::uint32_t number, std::uint32_t begin, std::uint32_t end, std::uint32_t& until) const {
  std::uint64_t lanes = 0;
  until = ~0u;
  for (std::uint32_t lane = begin; lane != end; ++lane) {
    std::uint32_t const common = common_of(lane);
    if (common <= number) continue;
    lanes |= std::uint64_t{1} << (lane - begin);
    until = std::min(until, common);
  }
  return lanes;
}

bool WarpLog::finish(std::uint32_t warp) {
  Warp& w = m_warps[warp];
  if (w.count == 0) return false;
  std::uint32_t const begin = warp * m_width, end = std::min(m_lanes, begin + m_width);
  std::uint64_t const all = ~std::uint64_t{0} >> (64 - (end - begin)), width = ~std::uint64_t{0} >> (64 - m_width);
  if (m_lane != nobody && warp_of(m_lane) == warp) m_next[m_lane] = hot.warp_next;
  // Most often all lanes have come the same way to the end.
  std::uintptr_t differ = 0;
  auto const last = reinterpret_cast<std::uintptr_t>(&w.records[w.count + 1]);
  for (std::uint32_t lane = begin; lane != end; ++lane) differ |= reinterpret_cast<std::uintptr_t>(m_next[lane]) ^ last;
  if (differ == 0 && all == width) {
    for (std::uint32_t i = 1; i <= w.count; ++i) w.records[i].active = all;
    return false;
  }
  std::uint64_t took_part = 0;  // in the records before number `until`
  std::uint64_t missing = 0;
  for (std::uint32_t i = 1, until = 1; i <= w.count; ++i) {
    if (i == until) took_part = lanes_before(i, begin, end, until);
    WarpRecord& r = w.records[i];
    r.active |= took_part;
    missing |= all & ~r.active;
    // Equal patterns are to look equal, whoever takes no part.
    for (std::uint64_t rest = width & ~r.active; rest != 0; rest &= rest - 1)
      r.low[std::countr_zero(rest)] = static_cast<std::uint32_t>(r.base);
  }
  return missing != 0;
}

void WarpLog::rebuild_slots(Warp& w) {
  std::size_t used = 0;
  for (Slot const& s : w.slots) used += s.key != 0 && s.window == w.window;
  // Keys of other windows are forgotten if that makes room.
  std::vector<Slot> old(used * 4 < w.slots.size() ? w.slots.size() : w.slots.size() * 2);
  old.swap(w.slots);
  w.keys = w.last_slot = 0;
  for (Slot const& s : old) {
    if (s.key == 0 || s.window != w.window) continue;
    std::size_t i = s.key * 0x9e3779b97f4a7c15u >> 32 & (w.slots.size() - 1);
    while (w.slots[i].key != 0) i = (i + 1) & (w.slots.size() - 1);
    w.slots[i] = s;
    w.slots[i].follower = 0;
    ++w.keys;
  }
}

std::uint32_t WarpLog::slot(Warp& w, std::uint64_t key) {
  if (w.keys * 2 >= w.slots.size()) rebuild_slots(w);
  for (std::size_t i = key * 0x9e3779b97f4a7c15u >> 32;; ++i) {
    std::size_t const index = i & (w.slots.size() - 1);
    Slot& s = w.slots[index];
    if (s.key != 0 && s.key != key) continue;
    if (s.key == 0) ++w.keys;
    if (s.key == 0 || s.window != w.window) s = {.key = key, .window = w.window, .follower = s.follower};
    return static_cast<std::uint32_t>(index);
  }
}

void WarpLog::make_room(std::uint32_t warp) {
  Warp& w = m_warps[warp];
  if (std::size_t{w.count} + 2 < w.records.size()) return;
  m_next[m_lane] = hot.warp_next;
  WarpRecord const* const before = w.records.data();
  std::vector<WarpRecord> more(w.records.size() * 2);
  std::ranges::copy(w.records, more.begin());
  for (std::uint32_t lane = warp * m_width, end = std::min(m_lanes, lane + m_width); lane < end; ++lane)
    if (m_next[lane] != &no_record) m_next[lane] = more.data() + (m_next[lane] - before);
  w.records.swap(more);
  hot.warp_next = m_next[m_lane];
}

[[gnu::always_inline]] inline void WarpLog::create(Warp& w, WarpRecord& r, std::uint32_t slot, std::uint64_t key,
                                                    std::uintptr_t address) {
  Slot& s = w.slots[slot];
  std::uint32_t const number = ++w.count;
  r.key = key;
  if (key_operation(key) != model::Operation::atomic)
    r.plain[plain_index(key_operation(key), key_scratch(key))] = key_site(key);
  r.active = std::uint64_t{1} << hot.warp_lane;
  r.base = address;
  r.next = 0;
  RunningLane const* const lane = hot.lane;
  r.scopes = lane == nullptr ? 0 : lane->scopes;
  r.scope_site = r.scopes == 0 ? Site{} : m_scope_sites[lane->lane.index].innermost(r.scopes);
  r.low[hot.warp_lane] = static_cast<std::uint32_t>(address);
  if (s.window != w.window) s = {.key = key, .window = w.window, .follower = s.follower};
  if (s.last == 0) {
    s.first = number;
    r.occurrence = 0;
  } else {
    r.occurrence = w.records[s.last].occurrence + 1;
    w.records[s.last].next = number;
  }
  s.last = s.hint = number;
  s.hint_lane = m_lane;
  w.slots[w.last_slot].follower = slot;
  w.last_slot = slot;
  WarpRecord& end = *(&r + 1);
  end.key = 0;
  std::ranges::fill(end.plain, WarpRecord::no_site);
}

bool WarpLog::lead(std::uint64_t key, std::uintptr_t address) {
  WarpRecord* const next = hot.warp_next;
  if (next->key != 0 || next == &no_record) return false;
  Warp& w = m_warps[warp_of(m_lane)];
  std::uint32_t const slot = w.slots[w.last_slot].follower;
  if (w.slots[slot].key != key || w.count >= max_records || next == &w.records.back()) return false;
  create(w, *next, slot, key, address);
  hot.warp_next = next + 1;
  return true;
}

bool WarpLog::add(std::uint64_t key, std::uintptr_t address, bool even_if_full) {
  std::uint32_t const warp = warp_of(m_lane);
  Warp& w = m_warps[warp];
  std::uint32_t const index = slot(w, key);
  // Behind the last record by the common way: the lane has been at every one, and this is the next of all.
  bool const leads = hot.warp_next != &no_record && hot.warp_next->key == 0;
  std::uint64_t const bit = std::uint64_t{1} << hot.warp_lane;
  std::uint32_t number = 0;
  if (!leads) {
    Slot const& s = w.slots[index];
    std::uint32_t const common = m_common[m_lane] = common_of(m_lane);
    number = s.hint_lane == m_lane ? w.records[s.hint].next : s.first;
    while (number != 0 && (number < common || (w.records[number].active & bit))) number = w.records[number].next;
  }
  if (number == 0) {
    if (w.count >= max_records && !even_if_full) return false;
    make_room(warp);
    create(w, w.records[w.count + 1], index, key, address);
  } else {
    WarpRecord& r = w.records[number];
    r.active |= bit;
    r.low[hot.warp_lane] = static_cast<std::uint32_t>(address);
    w.slots[index].hint = number;
    w.slots[index].hint_lane = m_lane;
  }
  // Only a lane that has been at every record before knows that the next one is its own.
  hot.warp_next = leads ? &w.records[w.count + 1] : &no_record;
  return true;
}

namespace {
[[gnu::noinline]] void log_anew(WarpLog& log, std::uint64_t key, std::uintptr_t address) {
  RuntimeScope const scope;
  if (log.add(key, address, false)) return;
  running_team().take_turns();
  log.add(key, address, true);
}
}  // namespace

[[gnu::flatten]] void log_slowly(std::uint64_t key, std::uintptr_t address) {
  WarpLog& log = *running_team().warp_log();
  if (!log.lead(key, address)) log_anew(log, key, address);
}

void log_range(std::uintptr_t address, std::size_t bytes, model::Operation operation, Site site) {
  unsigned log_bytes = 4;
  while (log_bytes != 0 && (bytes | address) & ((1u << log_bytes) - 1)) --log_bytes;
  for (std::size_t at = 0; at != bytes; at += 1u << log_bytes) log_access(address + at, log_bytes, operation, site);
}

}  // namespace teamsan
