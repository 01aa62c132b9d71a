// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "IdleLanes.hpp"

#include "../machine/Team.hpp"
#include "../machine/WarpLog.hpp"

#include <algorithm>
#include <bit>

namespace teamsan::detect {

namespace {

constexpr std::uint32_t scope_bit(Scope scope) { return 1u << static_cast<unsigned>(scope); }
constexpr std::uint32_t singles = scope_bit(Scope::single_per_team) | scope_bit(Scope::single_per_thread);
constexpr std::uint32_t any_round = ~0u;

std::uint64_t first_lanes(std::uint32_t n) { return n == 0 ? 0 : ~std::uint64_t{0} >> (64 - n); }

/// Lanes behind the last of `active`, which is not empty.
std::uint64_t behind(std::uint64_t active) { return ~first_lanes(static_cast<std::uint32_t>(64 - std::countl_zero(active))); }

std::uint64_t key_of(WarpRecord const& record, std::uint32_t occurrence) {
  std::uint64_t const place = std::uint64_t{number_of(record.scope_site)} << 32 | occurrence;
  return ((place ^ record.scopes) * 0x9e3779b97f4a7c15u) | 1;
}

std::uint64_t count_of(std::uint64_t lanes) { return static_cast<unsigned>(std::popcount(lanes)); }

}  // namespace

IdleLanes::Round& IdleLanes::round(std::uint64_t key) {
  if (m_used * 2 >= m_rounds.size()) {
    std::vector<Round> old(std::max<std::size_t>(64, m_rounds.size() * 2));
    old.swap(m_rounds);
    m_used = 0;
    for (Round const& r : old)
      if (r.window == m_window) round(r.key) = r;
  }
  for (std::size_t i = key >> 32;; ++i) {
    Round& r = m_rounds[i & (m_rounds.size() - 1)];
    if (r.window != m_window) {
      r = {key, m_window, 0, 0, Site{}};
      ++m_used;
      return r;
    }
    if (r.key == key) return r;
  }
}

void IdleLanes::expect(WarpRecord const& record) {
  m_apart = true;
  round(key_of(record, record.occurrence)).lanes |= record.active;
  round(key_of(record, any_round)).lanes |= record.active;
}

IdleLanes::Masks IdleLanes::causes(Team const& team, WarpRecord const& record, std::uint64_t idle, std::uint64_t in_round) {
  LaunchConfig const& c = team.launch().facts.config;
  Masks m;
  m.branch = idle & in_round;
  std::uint64_t const rest = idle & ~in_round, last = behind(record.active);
  if (rest == 0) return m;
  std::uint64_t const ever = round(key_of(record, any_round)).lanes;
  std::uint32_t const length = std::min(c.vector_length, team.launch().facts.warp_width);
  if (record.scopes & scope_bit(Scope::thread_vector_range)) {
    for (std::uint32_t first = 0; first < team.launch().facts.warp_width; first += length) {
      std::uint64_t const thread = first_lanes(length) << first, active = record.active & thread;
      // Threads have loops of different lengths: one that does nothing is at its loop's end.
      std::uint64_t const at_end = rest & thread & (active == 0 ? thread : behind(active));
      m.vector |= active == 0 ? 0 : at_end & ~ever;
      m.range |= active == 0 ? at_end : at_end & ever;
      m.branch |= rest & thread & ~at_end;
    }
    return m;
  }
  std::uint64_t at_end = 0;
  if (record.scopes & scope_bit(Scope::team_vector_range)) {
    at_end = rest & last;
  } else if (record.scopes & scope_bit(Scope::team_thread_range)) {
    // All lanes of a thread run the body.
    auto const top = static_cast<std::uint32_t>(63 - std::countl_zero(record.active));
    std::uint64_t const up_to = first_lanes((top / length + 1) * length);
    at_end = rest & ~up_to;
  } else if (c.is_one_dimensional()) {
    at_end = rest & last & (c.pattern == Pattern::parallel_for ? ~ever : ~std::uint64_t{0});
  } else if (!c.lanes_meet()) {
    at_end = rest;
  }
  m.range = at_end;
  m.branch |= rest & ~at_end;
  return m;
}

void IdleLanes::count(Team const& team, WarpRecord const& record, std::uint32_t warp, AccessSite& site) {
  LaunchConfig const& c = team.launch().facts.config;
  std::uint32_t const width = team.launch().facts.warp_width;
  std::uint64_t const all = first_lanes(std::min(width, c.team_size * c.vector_length - warp * width));
  auto const add = [&](IdleCause cause, std::uint64_t lanes) {
    site.counts.idle[static_cast<std::size_t>(cause)] += count_of(lanes);
  };
  if (all != first_lanes(width)) add(IdleCause::team, first_lanes(width) & ~all);
  if (!m_apart) return;
  std::uint64_t const idle = all & ~record.active;
  if (record.scopes & singles) return add(IdleCause::single, idle);
  Round& here = round(key_of(record, record.occurrence));
  if (idle != 0) {
    std::uint64_t const widest = here.widest;
    Site const together = here.widest_site;
    Masks const m = causes(team, record, idle, here.lanes);
    add(IdleCause::vector, m.vector);
    add(IdleCause::range, m.range);
    add(IdleCause::branch, m.branch);
    if ((m.branch & widest) != 0 && site.parted_at == Site{}) site.parted_at = together;
  }
  note_widest(here, record);
}

void IdleLanes::note_full(WarpRecord const& record) {
  if (!(record.scopes & singles)) note_widest(round(key_of(record, record.occurrence)), record);
}

void IdleLanes::note_widest(Round& round, WarpRecord const& record) {
  if ((record.active & round.widest) != round.widest) return;
  round.widest = record.active;
  round.widest_site = key_site(record.key);
}

}  // namespace teamsan::detect
