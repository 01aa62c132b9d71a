// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PendingRows.hpp"

#include "../memory/TeamShadow.hpp"
#include "LaunchWords.hpp"

#include <algorithm>
#include <bit>
#include <span>

namespace teamsan::detect {

namespace {

constexpr std::size_t most_rows = 64;  // what a line's footprint is made of

std::optional<PendingRow> pending_row(LaneRows::Row const& r, unsigned rank) {
  if (r.conditional || r.slack != 0 || r.shares != 0) return {};
  PendingRow row{r.begin, r.end, r.bytes, {}, r.stores || r.updates != 0, r.updates != 0, {}};
  for (unsigned d = 0; d != rank; ++d) {
    LaneRows::Way const& w = r.ways[d];
    if (r.counts[d] != w.count) return {};
    if (w.count > 1 && w.step != 0) row.ways.push_back({w.stride(), w.count, d, w.step < 0});
  }
  std::ranges::sort(row.ways, std::ranges::greater{}, &PendingRow::Way::stride);
  return row;
}

/// Each lane stores to what it reads by this row.
bool is_stored_to(PendingRow const& read, std::span<PendingRow const> all) {
  return std::ranges::any_of(all, [&](PendingRow const& r) {
    return r.writes && (!r.atomic || read.atomic) && r.begin == read.begin && r.bytes >= read.bytes && r.ways == read.ways;
  });
}

}  // namespace

std::optional<PendingRows> PendingRows::of(LaneRows const& rows, LaunchFacts const& facts, LaunchWords const& first_block) {
  LaunchConfig const& c = facts.config;
  if (rows.rows().size() > most_rows) return {};
  PendingRows all;
  all.m_indices = c.indices;
  if (c.is_one_dimensional() && c.indices.rank == 1) all.m_indices.block[0] = c.team_size;
  all.m_knows_lanes = c.pattern == Pattern::parallel_for && all.m_indices.block[0] != 0;
  for (LaneRows::Row const& r : rows.rows()) {
    std::optional<PendingRow> row = pending_row(r, c.indices.rank);
    if (!row) return {};
    if (std::ranges::find(all.m_rows, *row) == all.m_rows.end()) all.m_rows.push_back(std::move(*row));
  }
  for (PendingRow& row : all.m_rows) {
    std::uintptr_t first = row.begin;  // where the first lane comes
    for (PendingRow::Way const& w : row.ways)
      if (w.backwards) first += w.stride * (w.count - 1);
    std::uintptr_t const word = first & ~std::uintptr_t{3};
    std::optional<WordAccess> const known = row.writes ? first_block.access(word) : first_block.read(word);
    if (known && known->writes == row.writes && known->atomic == row.atomic)
      row.site = known->site;
    else if (row.writes || !is_stored_to(row, all.m_rows))
      return {};
    all.m_begin = std::min(all.m_begin, row.begin);
    all.m_end = std::max(all.m_end, row.end);
  }
  std::erase_if(all.m_rows, [](PendingRow const& r) { return r.site == Site{}; });  // stored to besides
  return all;
}

bool PendingRows::may_meet(std::uintptr_t begin, std::uintptr_t end, bool writes, bool atomic) const {
  if (end <= m_begin || m_end <= begin) return false;
  return std::ranges::any_of(m_rows, [&](PendingRow const& r) {
    return begin < r.end && r.begin < end && (writes || r.writes) && !(atomic && r.atomic);
  });
}

void PendingRows::set_lane(PendingAccess& access, Iteration const& iteration) const {
  std::uint64_t lane = 0, lanes = 1, blocks = 1;
  access.league = 0;
  for (unsigned axis = 0; axis != m_indices.rank; ++axis) {
    unsigned const d = m_indices.is_last_fastest ? m_indices.rank - 1 - axis : axis;
    std::uint64_t const block = m_indices.block[d];
    lane += iteration[d] % block * lanes;
    access.league += iteration[d] / block * blocks;
    lanes *= block;
    blocks *= (m_indices.count[d] + block - 1) / block;
  }
  access.lane = static_cast<std::uint16_t>(lane);
}

/// Of a line by one row: which bytes, and who stands for them, as of a team's shadow: of the first team what lies first there.
struct PendingRows::Touch {
  Mask bytes = 0;
  PendingAccess first;
};

PendingRows::Touch PendingRows::touch(PendingRow const& row, std::uintptr_t line) const {
  std::uintptr_t const from = line * Line::bytes, to = from + Line::bytes;
  Touch found;
  Iteration iteration{};
  auto const place = [&](std::uintptr_t at) {
    Mask const mask = mask_of(line, at, at + row.bytes);
    PendingAccess access{m_work, 0, row.site, 0, static_cast<std::uint8_t>(std::countr_zero(mask)), m_knows_lanes};
    if (m_knows_lanes) set_lane(access, iteration);
    if (found.bytes == 0 || access.is_before(found.first)) found.first = access;
    found.bytes |= mask;
  };
  auto const places = [&](auto const& self, std::uintptr_t at, std::size_t way) -> void {
    if (way == row.ways.size()) return place(at);
    PendingRow::Way const& w = row.ways[way];
    std::uint64_t behind = row.bytes;  // from one of its places to the end of what shorter ways lead to
    for (std::size_t i = way + 1; i != row.ways.size(); ++i) behind += row.ways[i].stride * (row.ways[i].count - 1);
    std::uint64_t const first = at + behind > from ? 0 : (from - at - behind) / w.stride + 1;
    for (std::uint64_t i = first; i < w.count && at + i * w.stride < to; ++i) {
      iteration[w.dimension] = w.backwards ? w.count - 1 - i : i;
      self(self, at + i * w.stride, way + 1);
    }
  };
  places(places, row.begin, 0);
  return found;
}

bool PendingRows::add_to(Footprint& footprint, std::uintptr_t line) const {
  std::uintptr_t const from = line * Line::bytes, to = from + Line::bytes;
  if (to <= m_begin || m_end <= from) return false;
  for (PendingRow const& r : m_rows) {
    if (to <= r.begin || r.end <= from) continue;
    Touch const t = touch(r, line);
    if (t.bytes == 0) continue;
    PendingAccess& known = r.writes ? footprint.write : footprint.reader;
    Mask& plain = r.writes ? footprint.written : footprint.read;
    Mask& atomic = r.writes ? footprint.atomic_written : footprint.atomic_read;
    bool const is_first_plain = !r.atomic && plain == 0, is_other_kind = r.atomic && plain != 0;
    if (known.work == nullptr || is_first_plain || (!is_other_kind && t.first.is_before(known))) known = t.first;
    (r.atomic ? atomic : plain) |= t.bytes;
  }
  return !footprint.empty();
}

}  // namespace teamsan::detect
