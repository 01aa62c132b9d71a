// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatFootprints.hpp"

#include "../memory/FlatHolds.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/TeamShadow.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <tuple>

namespace teamsan::detect {

FlatFootprints::FlatFootprints(FlatShadow& flat, std::uint64_t launch, std::uint64_t lanes)
    : m_flat(flat), m_launch(launch), m_lanes(lanes), m_sites(flat.sites()) {}

void FlatFootprints::for_each(Begin const& begin, End const& end) {
  std::vector<Allocation const*> all;  // either may ask for allocations
  auto const keep = [](Allocation const& a, void* context) {
    if (a.space == Space::device) static_cast<std::vector<Allocation const*>*>(context)->push_back(&a);
  };
  for_each_allocation(keep, &all);
  std::ranges::sort(all, {}, &Allocation::begin);
  for (Allocation const* const a : all)
    for (std::uintptr_t from = a->data() & ~std::uintptr_t{3}, to = 0; from < a->end(); from = to) {
      to = std::min(a->end(), (from / arena::flat_stretch_bytes + 1) * arena::flat_stretch_bytes);
      if (!FlatHolds::is_of_launch(FlatHolds::of(from), m_launch)) continue;
      for (std::uintptr_t line_end = 0; from < to; from = line_end) {
        line_end = std::min(to, (from / Line::bytes + 1) * Line::bytes);
        gather(from, line_end, false);
        if (m_deeds.empty()) continue;
        if (begin(*a, from / Line::bytes)) gather(from, line_end, true);
        end(from / Line::bytes, m_deeds);
      }
    }
}

void FlatFootprints::gather(std::uintptr_t from, std::uintptr_t to, bool word_by_word) {
  m_deeds.clear();
  m_latest.fill({});
  m_of_word_count = 0;
  FlatWord before(0);
  for (std::uintptr_t a = from; a < to; a += 4) {
    FlatWord const w(std::atomic_ref(*global_shadow::cell(a)).load(std::memory_order_relaxed));  // the host may copy beside
    bool const is_told_whole = !w.is_aside() && w.place() != flat::unknown_place && w.second_place() != flat::unknown_place;
    if (!word_by_word && w == before && is_told_whole) {  // as the two of a double are: the same lane did the same
      for (std::size_t i = 0; i != m_of_word_count; ++i) m_deeds[m_of_word[i]].bytes |= Mask{15} << a % Line::bytes;
      continue;
    }
    m_of_word_count = 0;
    if (w.is_of_launch(m_flat.epoch())) word(a, w, !word_by_word);
    before = w;
  }
  auto const place = [&](Deed const& d) { return std::tuple(d.mark.lane / m_flat.team_size(), std::countr_zero(d.bytes)); };
  if (m_deeds.size() > 1 && !std::ranges::is_sorted(m_deeds, {}, place)) std::ranges::stable_sort(m_deeds, {}, place);
}

/// `alike`: it may be one with what was done to words before it.
void FlatFootprints::add(FlatShadow::Mark mark, std::uintptr_t address, Mask bytes, AccessKind kind, bool alike) {
  if (!mark || mark.lane >= m_lanes) return;
  Mask const of_line = bytes << address % Line::bytes;
  Latest& latest = m_latest[static_cast<std::size_t>(kind)];
  if (alike && mark.lane - latest.first_lane < latest.lanes && m_deeds[latest.deed].mark.site == mark.site) {
    m_deeds[latest.deed].bytes |= of_line;
  } else {
    latest = {m_deeds.size(), mark.lane - mark.lane % m_flat.team_size(), m_flat.team_size()};
    m_deeds.push_back({mark, of_line, kind});
  }
  m_of_word[m_of_word_count] = latest.deed;
  m_of_word_count = std::min(m_of_word_count + 1, m_of_word.size() - 1);
}

void FlatFootprints::word(std::uintptr_t address, FlatWord w, bool alike) {
  if (w.is_aside()) return aside(address);
  auto const site = [&](flat::Place place, bool second) {
    if (place < m_sites.size()) return m_sites[place];
    return second ? m_flat.second_site(address, w) : m_flat.first_site(address, w);
  };
  FlatShadow::Mark const first{w.lane(), site(w.place(), false)};
  if (w.is_updated()) return add(first, address, 15, AccessKind::atomic_write, alike);
  if (!w.is_written()) return add(first, address, 15, AccessKind::read, alike);
  add(first, address, 15, AccessKind::write, alike);
  if (w.is_read()) add({w.lane(), site(w.second_place(), true)}, address, 15, AccessKind::read, alike);
}

void FlatFootprints::aside(std::uintptr_t address) {
  FlatShadow::Word const word = m_flat.known_of(address);
  auto const deeds = [&](FlatShadow::Deeds const& of, std::uintptr_t at, Mask bytes) {
    using enum AccessKind;
    for (AccessKind const kind : {write, read, atomic_write, atomic_read}) add(of[kind].first, at, bytes, kind);
  };
  if (word.parts == nullptr)
    deeds(word.whole, address, 15);
  else
    for (unsigned b = 0; b != 4; ++b) deeds((*word.parts)[b], address + b, 1);
  for (FlatShadow::Late const& late : word.late) add(late.mark, address, late.bytes, late.kind);
}

}  // namespace teamsan::detect
