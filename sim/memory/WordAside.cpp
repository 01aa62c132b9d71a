// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WordAside.hpp"

#include <algorithm>
#include <utility>

namespace teamsan {

void WordAside::Accesses::add(Mark mark, std::uint32_t team_size) {
  if (!first) {
    first = mark;
    return;
  }
  several_teams = several_teams || mark.lane / team_size != first.lane / team_size;
  if (mark.lane == first.lane || mark.lane == second.lane) return;
  more = more || second;
  if (mark.lane < first.lane)
    second = std::exchange(first, mark);
  else if (!second || mark.lane < second.lane)
    second = mark;
}

WordAside WordAside::copy() const {
  return {whole, parts == nullptr ? nullptr : std::make_unique<std::array<Deeds, 4>>(*parts), unwritten, late, lacks_late};
}

bool WordAside::is_written_by(std::uint32_t lane) const {
  auto const in = [&](Deeds const& deeds) {
    Accesses const& stores = deeds[AccessKind::write];
    return (stores.first && stores.first.lane == lane) || (stores.second && stores.second.lane == lane);
  };
  if (std::ranges::any_of(late, [&](Late const& l) { return l.mark.lane == lane && l.kind == AccessKind::write; })) return true;
  return parts == nullptr ? in(whole) : std::ranges::any_of(*parts, in);
}

WordAside::Joined WordAside::join(std::uint64_t bytes, std::uint64_t init, AccessKind kind, Mark mark, std::uint32_t tick,
                                  std::uint32_t team_size) {
  if (bytes != 15 && parts == nullptr) {
    parts = std::make_unique<std::array<Deeds, 4>>();
    parts->fill(whole);
  }
  // Of three lanes that wrote, two are known, and the third one's reads are told by nobody.
  Joined before{(init & bytes) != 0};
  auto const shares = [&](Mark other) {
    return other && other.lane != mark.lane && other.lane / team_size == mark.lane / team_size;
  };
  bool late_of_others = false;
  for (Late const& l : late) {
    if ((l.bytes & bytes) == 0 || !is_write(l.kind)) continue;
    before.known = before.known || l.mark.lane == mark.lane;
    if (kind != AccessKind::write || l.kind != AccessKind::write) continue;
    before.again = before.again || shares(l.mark);
    late_of_others = late_of_others || l.mark.lane / team_size != mark.lane / team_size;
  }
  auto const add = [&](Deeds& deeds) {
    for (AccessKind const by : {AccessKind::write, AccessKind::atomic_write})
      for (Mark const other : {deeds[by].first, deeds[by].second})
        before.known = before.known || (other && other.lane == mark.lane);
    Accesses& accesses = deeds[kind];
    before.again = before.again || (kind == AccessKind::write && (shares(accesses.first) || shares(accesses.second)));
    bool const differs = accesses.first && accesses.first.lane / team_size != mark.lane / team_size;
    accesses.several_teams = accesses.several_teams || late_of_others || differs;
    if (tick == 0) accesses.add(mark, team_size);
  };
  if (parts == nullptr)
    add(whole);
  else
    for (unsigned b = 0; b != 4; ++b)
      if (bytes >> b & 1) add((*parts)[b]);
  if (tick != 0) add_late({mark, static_cast<std::uint16_t>(tick), kind, static_cast<std::uint8_t>(bytes)});
  return before;
}

void WordAside::add_late(Late const& access) {
  auto const at = std::ranges::lower_bound(late, access.place(), {}, &Late::place);
  if (at != late.end() && at->place() == access.place()) {
    at->bytes |= access.bytes;
    return;
  }
  // Many of one kind push out none of another: of those that conflict some are left.
  auto const is_alike = [&](Late const& l) { return l.kind == access.kind; };
  bool const full = std::ranges::count_if(late, is_alike) == most_late;
  if (full) lacks_late |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(access.kind));
  if (full && std::none_of(at, late.end(), is_alike)) return;
  late.insert(at, access);
  if (full) late.erase(std::find_if(late.rbegin(), late.rend(), is_alike).base() - 1);
}

void WordAside::note_unwritten(Unwritten&& read) {
  auto const place = std::ranges::lower_bound(unwritten, read.place(), {}, &Unwritten::place);
  if (place != unwritten.end() && place->place() == read.place()) {
    if (read.mark.lane < place->mark.lane) *place = std::move(read);
    return;
  }
  unwritten.insert(place, std::move(read));
  if (unwritten.size() > most_reads) unwritten.pop_back();
}

void WordAside::note_change() {
  whole.values_differ = true;
  if (parts != nullptr)
    for (Deeds& deeds : *parts) deeds.values_differ = true;
}

std::optional<std::uint32_t> WordAside::other_updater(std::uintptr_t byte, std::uint32_t lane) const {
  Accesses const& updates = of_byte(byte)[AccessKind::atomic_write];
  for (Mark const mark : {updates.first, updates.second})
    if (mark && mark.lane != lane) return mark.lane;
  for (Late const& l : late)
    if (l.kind == AccessKind::atomic_write && l.mark.lane != lane && (l.bytes >> byte & 1)) return l.mark.lane;
  return {};
}

WordAside::Writers WordAside::writers(std::uintptr_t byte, std::uint32_t lane, std::uint64_t lanes) const {
  Deeds const& deeds = of_byte(byte);
  Writers found;
  auto const is_other = [&](Mark mark) { return mark && mark.lane != lane && mark.lane < lanes; };
  for (AccessKind const kind : {AccessKind::write, AccessKind::atomic_write}) {
    Mark const first = deeds[kind].first, second = deeds[kind].second;
    found.others = found.others || is_other(first) || is_other(second);
    // These two are the lowest: an earlier lane would be one of them.
    found.maybe_itself = found.maybe_itself || (is_other(first) && is_other(second) && second.lane < lane);
  }
  for (Late const& l : late)
    found.others = found.others || (is_write(l.kind) && (l.bytes >> byte & 1) && is_other(l.mark));
  for (AccessKind const kind : {AccessKind::write, AccessKind::atomic_write}) {
    auto const is_behind = [&](Late const& l) { return l.kind == kind && l.mark.lane >= lane; };
    found.maybe_itself = found.maybe_itself || (lacks_late_of(kind) && std::ranges::none_of(late, is_behind));
  }
  return found;
}

WordAside::Readers WordAside::readers(std::uint32_t lane) const {
  Readers found{{}, lacks_late_of(AccessKind::read)};
  for (Late const& l : late)
    if (l.kind == AccessKind::read && l.mark.lane == lane) found.sites.push_back(l.mark.site);
  auto const add = [&](Deeds const& deeds) {
    Accesses const& reads = deeds[AccessKind::read];
    for (Mark const mark : {reads.first, reads.second})
      if (mark) found.sites.push_back(mark.site);
    // Of more than two lanes not all are known.
    found.may_be_others |= reads.second && reads.first.lane != lane && reads.second.lane != lane;
  };
  if (parts == nullptr)
    add(whole);
  else
    for (Deeds const& deeds : *parts) add(deeds);
  return found;
}

}  // namespace teamsan
