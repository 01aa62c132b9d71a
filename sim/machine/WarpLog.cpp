// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/machine/WarpLog.hpp>

#include <teamsan/sim/machine/Team.hpp>

#include <algorithm>

namespace teamsan {

constinit WarpRecord no_record;

void WarpLog::begin(std::uint32_t lanes, std::uint32_t warp_width) {
  m_width = warp_width;
  m_shift = static_cast<std::uint32_t>(std::countr_zero(warp_width));
  m_record_words = (sizeof(WarpRecord) + std::size_t{4} * warp_width) / 8;
  m_lanes = lanes;
  m_used_warps = (lanes + warp_width - 1) / warp_width;
  if (m_warps.size() < m_used_warps) m_warps.resize(m_used_warps);
  m_next.assign(lanes, m_record_words * 8);
  m_common.assign(lanes, 0);
  m_scope_sites.resize(lanes);
  for (std::uint32_t w = 0; w != m_used_warps; ++w) clear(w);
}

std::uint32_t WarpLog::ScopeSites::innermost(std::uint32_t scopes) const {
  using enum Scope;
  for (Scope const s : {single_per_thread, single_per_team, thread_vector_range, team_vector_range, team_thread_range})
    if (scopes >> static_cast<unsigned>(s) & 1) return of[static_cast<unsigned>(s)];
  return 0;
}

void WarpLog::enter_scope(Scope scope, std::uintptr_t site) {
  m_scope_sites[hot.lane->lane.index].of[static_cast<unsigned>(scope)] = static_cast<std::uint32_t>(site);
}

void WarpLog::clear(std::uint32_t warp) {
  Warp& w = m_warps[warp];
  if (w.words.size() < std::size_t{2} * m_record_words) w.words.resize(std::size_t{64} * m_record_words);
  if (w.slots.empty()) w.slots.resize(32);
  w.count = w.keys = 0;
  ++w.window;
  record(w, 1)->key = 0;
  std::uint32_t const end = std::min(m_lanes, (warp + 1) * m_width);
  for (std::uint32_t lane = warp * m_width; lane < end; ++lane) m_next[lane] = m_record_words * 8;
  if (m_lane != nobody && warp_of(m_lane) == warp) hot.warp_next = record(w, 1);
}

void WarpLog::enter(std::uint32_t lane) {
  m_lane = lane;
  std::uint32_t const next = m_next[lane];
  auto const first = reinterpret_cast<char*>(m_warps[warp_of(lane)].words.data());
  hot.warp_next = next == apart ? &no_record : reinterpret_cast<WarpRecord*>(first + next);
  hot.warp_lane = lane & (m_width - 1);
  hot.warp_lane_bit = std::uint64_t{1} << hot.warp_lane;
  hot.warp_record_bytes = static_cast<std::uint16_t>(m_record_words * 8);
}

void WarpLog::leave(std::uint32_t lane) {
  auto const first = reinterpret_cast<char*>(m_warps[warp_of(lane)].words.data());
  m_next[lane] = hot.warp_next == &no_record
                     ? apart
                     : static_cast<std::uint32_t>(reinterpret_cast<char*>(hot.warp_next) - first);
  hot.warp_next = nullptr;
  m_lane = nobody;
}

std::uint32_t WarpLog::common_of(std::uint32_t lane) const {
  auto const bytes = static_cast<std::uint32_t>(m_record_words * 8);
  if (lane != m_lane) return m_next[lane] == apart ? m_common[lane] : m_next[lane] / bytes;
  if (hot.warp_next == &no_record) return m_common[lane];
  auto const first = reinterpret_cast<char const*>(m_warps[warp_of(lane)].words.data());
  return static_cast<std::uint32_t>(reinterpret_cast<char const*>(hot.warp_next) - first) / bytes;
}

namespace {

template <std::uint32_t width>
void make_relative(WarpRecord& record) {
  auto const base = static_cast<std::uint32_t>(record.base);
  std::uint32_t* const offsets = record.offsets();
  for (std::uint32_t i = 0; i != width; ++i) offsets[i] -= base;
  // Equal patterns are to look equal, whoever takes no part.
  for (std::uint64_t rest = ~record.active & (~std::uint64_t{0} >> (64 - width)); rest != 0; rest &= rest - 1)
    offsets[std::countr_zero(rest)] = 0;
}

}  // namespace

bool WarpLog::finish(std::uint32_t warp) {
  Warp& w = m_warps[warp];
  if (w.count == 0) return false;
  std::uint32_t const begin = warp * m_width, end = std::min(m_lanes, begin + m_width);
  std::uint32_t common[64];
  for (std::uint32_t lane = begin; lane < end; ++lane) common[lane - begin] = common_of(lane);
  std::uint64_t took_part = 0;     // in the records before number `until`
  std::uint64_t const all = ~std::uint64_t{0} >> (64 - (end - begin));
  std::uint64_t missing = 0;
  for (std::uint32_t i = 1, until = 1; i <= w.count; ++i) {
    if (i == until) {
      took_part = 0;
      until = ~0u;
      for (std::uint32_t l = 0; l != end - begin; ++l) {
        if (common[l] <= i) continue;
        took_part |= std::uint64_t{1} << l;
        until = std::min(until, common[l]);
      }
    }
    WarpRecord& r = *record(w, i);
    r.active |= took_part;
    missing |= all & ~r.active;
    switch (m_width) {
      case 16: make_relative<16>(r); break;
      case 32: make_relative<32>(r); break;
      default: make_relative<64>(r);
    }
  }
  return missing != 0;
}

WarpLog::Slot& WarpLog::slot(Warp& w, std::uint64_t key) {
  if (w.keys * 2 >= w.slots.size()) {
    std::vector<Slot> old(w.slots.size() * 2);
    old.swap(w.slots);
    for (Slot const& s : old) {
      if (s.window != w.window) continue;
      std::size_t i = s.key * 0x9e3779b97f4a7c15u >> 32 & (w.slots.size() - 1);
      while (w.slots[i].window == w.window) i = (i + 1) & (w.slots.size() - 1);
      w.slots[i] = s;
    }
  }
  for (std::size_t i = key * 0x9e3779b97f4a7c15u >> 32;; ++i) {
    Slot& s = w.slots[i & (w.slots.size() - 1)];
    if (s.window != w.window) {
      s = {key, w.window, 0, 0, 0, ~0u};
      ++w.keys;
      return s;
    }
    if (s.key == key) return s;
  }
}

std::uint32_t WarpLog::create(Warp& w, Slot& s, std::uintptr_t address) {
  std::uint32_t const number = ++w.count;
  std::size_t const needed = (std::size_t{number} + 2) * m_record_words;
  if (w.words.size() < needed) w.words.resize(needed * 2);
  WarpRecord& r = *record(w, number);
  r.key = s.key;
  r.active = hot.warp_lane_bit;
  r.base = address;
  r.next = 0;
  r.occurrence = s.last == 0 ? 0 : record(w, s.last)->occurrence + 1;
  LaneState const* const lane = hot.lane;
  r.scopes = lane == nullptr ? 0 : lane->scopes;
  r.scope_site = r.scopes == 0 ? 0 : m_scope_sites[lane->lane.index].innermost(r.scopes);
  r.offsets()[hot.warp_lane] = static_cast<std::uint32_t>(address);
  if (s.last == 0)
    s.first = number;
  else
    record(w, s.last)->next = number;
  s.last = number;
  record(w, number + 1)->key = 0;
  return number;
}

bool WarpLog::add(std::uint64_t key, std::uintptr_t address, bool even_if_full) {
  Warp& w = m_warps[warp_of(m_lane)];
  Slot& s = slot(w, key);
  // Behind the last record by the common way: the lane has been at every one, and this is the next of all.
  bool const leads = hot.warp_next != &no_record && hot.warp_next->key == 0;
  std::uint32_t number = 0;
  if (!leads) {
    std::uint32_t const common = m_common[m_lane] = common_of(m_lane);
    number = s.hint_lane == m_lane ? record(w, s.hint)->next : s.first;
    while (number != 0 && (number < common || (record(w, number)->active & hot.warp_lane_bit)))
      number = record(w, number)->next;
  }
  if (number == 0) {
    if (w.count >= max_records && !even_if_full) return false;
    number = create(w, s, address);
  } else {
    WarpRecord& r = *record(w, number);
    r.active |= hot.warp_lane_bit;
    r.offsets()[hot.warp_lane] = static_cast<std::uint32_t>(address);
  }
  s.hint = number;
  s.hint_lane = m_lane;
  // Only a lane that has been at every record before knows that the next one is its own.
  hot.warp_next = leads ? record(w, number + 1) : &no_record;
  return true;
}

void log_slowly(std::uint64_t key, std::uintptr_t address) {
  RuntimeScope const scope;
  WarpLog& log = *hot.team->warp_log();
  if (log.add(key, address, false)) return;
  hot.team->take_turns();
  log.add(key, address, true);
}

void log_range(std::uintptr_t address, std::size_t bytes, model::Operation operation, std::uintptr_t pc) {
  unsigned log_bytes = 4;
  while (log_bytes != 0 && (bytes | address) & ((1u << log_bytes) - 1)) --log_bytes;
  for (std::size_t at = 0; at != bytes; at += 1u << log_bytes) log_access(address + at, log_bytes, operation, pc);
}

}  // namespace teamsan
