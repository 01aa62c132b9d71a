// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of one word of a flat launch, in each of its forms: the word of the shadow itself, the list of those with few
/// accesses, the table.
#include "FlatShadow.hpp"

#include "GlobalShadow.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace teamsan {

void FlatShadow::Accesses::add(Mark mark, std::uint32_t team_size) {
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

FlatShadow::Word FlatShadow::Word::copy() const {
  return {whole, parts == nullptr ? nullptr : std::make_unique<std::array<Deeds, 4>>(*parts), unwritten, late, lacks_late};
}

bool FlatShadow::Word::is_written_by(std::uint32_t lane) const {
  auto const in = [&](Deeds const& deeds) {
    Accesses const& stores = deeds[AccessKind::write];
    return (stores.first && stores.first.lane == lane) || (stores.second && stores.second.lane == lane);
  };
  if (std::ranges::any_of(late, [&](Late const& l) { return l.mark.lane == lane && l.kind == AccessKind::write; })) return true;
  return parts == nullptr ? in(whole) : std::ranges::any_of(*parts, in);
}

bool FlatShadow::Few::add(Late access) {
  // Of what a lane does before its first event its first access by each kind is kept, as the table has it.
  for (Late const& a : *this)
    if (access.tick == 0 && a.tick == 0 && a.mark.lane == access.mark.lane && a.kind == access.kind)
      access.bytes &= static_cast<std::uint8_t>(~a.bytes);
  if (access.bytes == 0) return true;
  for (std::size_t i = 0; i != count; ++i)
    if (accesses[i].place() == access.place()) {
      accesses[i].bytes |= access.bytes;
      return true;
    }
  if (count == most) return false;
  accesses[count++] = access;
  return true;
}

FlatShadow::Few FlatShadow::unfold(Part const& part, std::uintptr_t address, FlatWord main, bool& more) {
  more = false;
  Few few{address};
  if (!main.is_flat()) return few;
  std::uint32_t const extra = std::atomic_ref(*global_shadow::extra(address)).load(std::memory_order_relaxed);
  if (main.is_few()) return part.fews[extra];
  if (main.is_aside() && !main.is_lone()) return few;
  std::uint32_t const lane = main.lane();
  Mark const first{lane, site_of(main.place())};
  if (main.is_lone()) {
    bool const forgotten = has_renewed(lane);
    auto const tick = [&](std::uint32_t bits) {
      auto const known = static_cast<std::uint16_t>(bits);
      return forgotten && known != 0 ? Late::unknown_tick : known;
    };
    if (main.is_written())
      few.add({first, tick(extra), main.is_updated() ? AccessKind::atomic_write : AccessKind::write, 15});
    Mark const load = main.is_written() ? Mark{lane, site_of(main.second_place())} : first;
    if (main.is_read())
      few.add({load, tick(extra >> 16), main.is_updated() ? AccessKind::atomic_read : AccessKind::read, 15});
    return few;
  }
  AccessKind const kind = main.is_updated()   ? AccessKind::atomic_write
                          : main.is_written() ? AccessKind::write
                                              : AccessKind::read;
  few.add({first, 0, kind, 15});
  more = main.is_of_many();
  if (more)
    few.add({{extra, site_of(main.second_place())}, 0, kind, 15});
  else if (main.is_written() && main.is_read())
    few.add({{lane, site_of(main.second_place())}, 0, AccessKind::read, 15});
  return few;
}

FlatShadow::Word FlatShadow::word_of(Few const& few, bool more) const {
  Word word;
  for (Late const& access : few) add(word, access);
  if (more) word.whole[few.accesses[0].kind].more = true;
  return word;
}

std::optional<FlatWord> FlatShadow::lone(FlatWord before, FlatWord aside, Late const& access, flat::Place place,
                                         std::uint32_t& ticks) {
  using flat::unknown_place;
  struct Done {
    flat::Place place = unknown_place;
    std::uint32_t tick = 0;
  };
  Done store, load;
  FlatWord const mine = FlatWord::of_lane(m_epoch, access.mark.lane);
  bool const by_atomics = is_atomic(access.kind);
  if (access.bytes != 15 || place == unknown_place) return {};
  if (!before.is_untouched(mine)) {
    bool const one_lanes = before.is_aside() ? before.is_lone() : !before.is_of_many();
    if (!one_lanes || !before.is_first(mine) || before.is_updated() != by_atomics) return {};
    bool const ticked = before.is_lone();
    if (before.is_written()) store = {before.place(), ticked ? ticks & 0xffff : 0};
    if (before.is_read()) load = {before.is_written() ? before.second_place() : before.place(), ticked ? ticks >> 16 : 0};
    if (before.is_written() != (store.place != unknown_place) || before.is_read() != (load.place != unknown_place)) return {};
  }
  Done& done = is_write(access.kind) ? store : load;
  if (done.place == unknown_place)
    done = {place, access.tick};
  else if (done.tick != access.tick || (access.tick != 0 && done.place != place))
    return {};
  ticks = store.tick | load.tick << 16;
  if (ticks != 0 && has_renewed(access.mark.lane)) return {};
  if (ticks != 0) m_has_lone.store(true, std::memory_order_relaxed);
  return aside.as_lone(mine, by_atomics, store.place, load.place);
}

FlatShadow::Word* FlatShadow::to_table(Part& part, Few const& few, bool more, Few* listed) {
  if (m_count.load(std::memory_order_relaxed) >= most_words) {
    m_lacks_words = true;
    return nullptr;
  }
  ++m_count;
  std::uintptr_t const at = few.address;
  Word& word = part.words[at] = word_of(few, more);
  if (listed != nullptr) listed->address = 0;
  return &word;
}

FlatShadow::Word* FlatShadow::of_table(Part& part, std::uintptr_t at) {
  if (auto const found = part.words.find(at); found != part.words.end()) return &found->second;
  std::atomic_ref const main(*global_shadow::cell(at));
  FlatWord const w(main.load(std::memory_order_relaxed));
  if (!w.is_of_launch(m_epoch) || !(w.is_few() || w.is_lone())) return nullptr;
  bool more = false;
  Few const few = unfold(part, at, w, more);
  Few* const listed = w.is_few() ? &part.fews[*global_shadow::extra(at)] : nullptr;
  Word* const word = to_table(part, few, more, listed);
  if (word != nullptr) main.store(w.as_of_table().bits(), std::memory_order_release);
  return word;
}

FlatShadow::Known FlatShadow::known_of(Few const& few, Late const& access) const {
  Known known;
  for (Late const& a : few) {
    if ((a.bytes & access.bytes) == 0 || !is_write(a.kind)) continue;
    known.own = known.own || a.mark.lane == access.mark.lane;
    bool const both_store = access.kind == AccessKind::write && a.kind == AccessKind::write;
    known.again = known.again || (both_store && shares_team(a.mark, access.mark));
  }
  return known;
}

FlatShadow::Known FlatShadow::add(Word& word, Late const& access) const {
  Mark const mark = access.mark;
  AccessKind const kind = access.kind;
  if (access.bytes != 15 && word.parts == nullptr) {
    word.parts = std::make_unique<std::array<Deeds, 4>>();
    word.parts->fill(word.whole);
  }
  // Of three lanes that wrote, two are known, and the third one's reads are told by nobody.
  Known known;
  bool late_of_others = false;
  for (Late const& l : word.late) {
    if ((l.bytes & access.bytes) == 0 || !is_write(l.kind)) continue;
    known.own = known.own || l.mark.lane == mark.lane;
    if (kind != AccessKind::write || l.kind != AccessKind::write) continue;
    known.again = known.again || shares_team(l.mark, mark);
    late_of_others = late_of_others || l.mark.lane / m_team_size != mark.lane / m_team_size;
  }
  auto const add_to = [&](Deeds& deeds) {
    for (AccessKind const by : {AccessKind::write, AccessKind::atomic_write})
      for (Mark const other : {deeds[by].first, deeds[by].second})
        known.own = known.own || (other && other.lane == mark.lane);
    Accesses& accesses = deeds[kind];
    bool const stores = kind == AccessKind::write;
    known.again = known.again || (stores && (shares_team(accesses.first, mark) || shares_team(accesses.second, mark)));
    bool const differs = accesses.first && accesses.first.lane / m_team_size != mark.lane / m_team_size;
    accesses.several_teams = accesses.several_teams || late_of_others || differs;
    if (access.tick == 0) accesses.add(mark, m_team_size);
  };
  if (word.parts == nullptr)
    add_to(word.whole);
  else
    for (unsigned b = 0; b != 4; ++b)
      if (access.bytes >> b & 1) add_to((*word.parts)[b]);
  if (access.tick != 0) add_late(word, access);
  return known;
}

void FlatShadow::add_late(Word& word, Late const& late) {
  auto const at = std::ranges::lower_bound(word.late, late.place(), {}, &Late::place);
  if (at != word.late.end() && at->place() == late.place()) {
    at->bytes |= late.bytes;
    return;
  }
  // Many of one kind push out none of another: of those that conflict some are left.
  auto const is_alike = [&](Late const& l) { return l.kind == late.kind; };
  bool const full = std::ranges::count_if(word.late, is_alike) == most_late;
  if (full) word.lacks_late |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(late.kind));
  if (full && std::none_of(at, word.late.end(), is_alike)) return;
  word.late.insert(at, late);
  if (full) word.late.erase(std::find_if(word.late.rbegin(), word.late.rend(), is_alike).base() - 1);
}

}  // namespace teamsan
