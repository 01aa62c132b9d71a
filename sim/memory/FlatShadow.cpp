// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatShadow.hpp"

#include "GlobalShadow.hpp"

#include <algorithm>
#include <bit>
#include <thread>
#include <utility>

namespace teamsan {

namespace {

/// The word once nobody is changing it.
FlatWord settled(std::atomic_ref<std::uint64_t> main) {
  for (unsigned turns = 0;; ++turns) {
    FlatWord const w(main.load(std::memory_order_acquire));
    if (!w.is_flat() || !w.is_busy()) return w;
    if (turns > 1000) std::this_thread::yield();
  }
}

/// False: another worker was there first.
bool replace(std::atomic_ref<std::uint64_t> main, FlatWord before, FlatWord next) {
  std::uint64_t expected = before.bits();
  return main.compare_exchange_strong(expected, next.bits(), std::memory_order_acq_rel);
}

/// The first lane that is known to have changed the byte by an atomic, but for this one.
std::optional<std::uint32_t> other_updater(FlatShadow::Word const& word, std::uintptr_t byte, std::uint32_t lane) {
  FlatShadow::Deeds const& deeds = word.parts == nullptr ? word.whole : (*word.parts)[byte];
  FlatShadow::Accesses const& updates = deeds[AccessKind::atomic_write];
  for (FlatShadow::Mark const mark : {updates.first, updates.second})
    if (mark && mark.lane != lane) return mark.lane;
  for (FlatShadow::Late const& late : word.late)
    if (late.kind == AccessKind::atomic_write && late.mark.lane != lane && (late.bytes >> byte & 1)) return late.mark.lane;
  return {};
}

}  // namespace

void FlatShadow::renew(std::uint32_t epoch, std::uint32_t context, std::uint32_t team_size) {
  m_epoch = epoch;
  m_context = context;
  m_team_size = team_size;
  m_load_count = 0;
  if (!empty())
    for (Part& part : m_parts) {
      decltype(part.words)().swap(part.words);
      decltype(part.fews)().swap(part.fews);
    }
  m_count = m_few_count = 0;
  if (m_has_renewed) m_renewed.clear();
  m_has_lone = m_has_renewed = false;
  m_lacks_words = m_lacks_places = m_places_ran_out = false;
  m_places.clear();
  m_sites.clear();
  for (auto& shared : m_shared) shared.clear();
}

flat::Place FlatShadow::place(Site site) {
  using namespace flat;
  std::lock_guard const lock(m_places_mutex);
  auto const [found, fresh] = m_places.try_emplace(site, unknown_place);
  if (fresh && m_sites.size() < unknown_place) {
    found->second = static_cast<Place>(m_sites.size());
    m_sites.push_back(site);
  }
  if (found->second == unknown_place) m_places_ran_out = true;
  return found->second;
}

void FlatShadow::note_load_of_update(Site site) {
  std::lock_guard const lock(m_places_mutex);
  std::size_t const count = m_load_count.load(std::memory_order_relaxed);
  if (count == most_loads || loads_for_update(site)) return;
  m_loads[count] = site;
  m_load_count.store(count + 1, std::memory_order_release);
}

bool FlatShadow::fits(flat::Place place) {
  if (place != flat::unknown_place) return true;
  if (m_few_count.load(std::memory_order_relaxed) < most_words_of_few) return false;
  if (m_count.load(std::memory_order_relaxed) < most_words) return false;
  m_lacks_places = true;
  return true;
}

Site FlatShadow::site_of(flat::Place place) {
  std::lock_guard const lock(m_places_mutex);
  return place < m_sites.size() ? m_sites[place] : Site{};
}

/// Without a lock: whoever makes the word busy has `extra`, for the few instructions until it is the word again.
bool FlatShadow::join_alike(std::uintptr_t address, AccessKind kind, std::uint32_t lane, flat::Place place) {
  std::atomic_ref const main(*global_shadow::cell(address));
  std::atomic_ref const extra(*global_shadow::extra(address));
  FlatWord const mine = FlatWord::of_lane(m_epoch, lane);
  std::uint64_t const place_bits = FlatWord::place_bits_of(place);
  for (FlatWord w = settled(main);; w = settled(main)) {
    if (w.is_untouched(mine)) return false;
    if (kind == AccessKind::read ? !w.is_only_read() || w.is_updated() : !w.is_only_updated()) return false;
    std::uint32_t const first = w.lane();
    if (lane == first) return true;
    std::uint32_t const second =
        w.is_of_many() ? extra.load(std::memory_order_relaxed) : std::numeric_limits<std::uint32_t>::max();
    if (lane >= second) return true;
    if (!fits(place)) return false;
    if (!replace(main, w, w.made_busy())) continue;
    bool const earlier = lane < first;
    extra.store(earlier ? first : lane, std::memory_order_relaxed);
    main.store((earlier ? w.earlier_lane(mine, place_bits) : w.other_second_lane(place_bits)).bits(),
               std::memory_order_release);
    return true;
  }
}

FlatShadow::Touch FlatShadow::touch(std::uintptr_t address, bool whole, AccessKind kind, Mark mark, flat::Place place,
                                    std::uint32_t tick) {
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  std::atomic_ref const main(*global_shadow::cell(at));
  Part& part = this->part(at);
  bool const reads = kind == AccessKind::read, writes = kind == AccessKind::write, updates = kind == AccessKind::atomic_write;
  FlatWord const mine = FlatWord::of_lane(m_epoch, mark.lane);
  std::uint64_t const place_bits = FlatWord::place_bits_of(place);
  Late const access{mark, static_cast<std::uint16_t>(tick), kind,
                    static_cast<std::uint8_t>(whole ? 15u : 1u << (address & 3))};
  bool const alone = whole && tick == 0 && fits(place);  // a word of the shadow has room for no more
  std::unique_lock const lock(part.mutex);
  for (FlatWord w = settled(main);; w = settled(main)) {
    if (w.is_untouched(mine)) {
      std::uint64_t const init = w.init_of_untouched();
      bool const plain = alone && (writes || ((reads || updates) && init == 15));
      FlatWord const next = !plain   ? w.set_aside_untouched(m_epoch)
                            : writes ? w.first_write(mine, place_bits)
                            : reads  ? FlatWord::first_read(mine, place_bits)
                                     : FlatWord::first_update(mine, place_bits);
      if (!replace(main, w, next)) continue;
      if (plain) return {init == 0 ? Outcome::fresh : Outcome::written};
      return join(part, at, w, next, access, place);
    }
    if (w.is_aside()) return join(part, at, w, w, access, place);
    if (alone && updates && w.is_updated()) {
      if (!join_alike(at, kind, mark.lane, place)) continue;
      return {Outcome::written, w.lane()};
    }
    if (alone && reads && w.is_only_read() && !w.is_updated()) {
      if (join_alike(at, kind, mark.lane, place)) return {Outcome::written};
      continue;
    }
    if (alone && (reads || writes) && w.is_own_alone(mine)) {
      bool const again = writes ? w.is_written() : w.is_read();
      FlatWord const next = again ? w : writes ? w.own_write(place_bits) : w.own_read(place_bits);
      if (replace(main, w, next)) return {Outcome::written};
      continue;
    }
    // More has to be known of it from here on.
    FlatWord const aside = w.set_aside(m_epoch);
    if (replace(main, w, aside)) return join(part, at, w, aside, access, place);
  }
}

FlatShadow::Touch FlatShadow::join(Part& part, std::uintptr_t at, FlatWord before, FlatWord aside, Late const& access,
                                   flat::Place place) {
  std::atomic_ref const main(*global_shadow::cell(at));
  std::atomic_ref const extra(*global_shadow::extra(at));
  bool const writes = is_write(access.kind), updates_late = access.kind == AccessKind::atomic_write && access.tick != 0;
  FlatWord const written = writes ? aside.with_written(access.bytes) : aside;
  auto const outcome = [&](Known known) {
    if (known.again) return Outcome::store_again;
    if (known.own || (aside.init() & access.bytes) != 0) return Outcome::written;
    return (aside.written_so_far() & access.bytes) != 0 ? Outcome::by_others : Outcome::fresh;
  };
  auto const set = [&](FlatWord word) { main.store(word.bits(), std::memory_order_release); };  // we have the lock
  std::uint32_t const index = extra.load(std::memory_order_relaxed);
  std::uint32_t ticks = index;
  if (auto const word = lone(before, aside, access, place, ticks)) {
    Outcome const of_lane = outcome({aside.is_written(), false});
    extra.store(ticks, std::memory_order_relaxed);
    set(*word);
    return {of_lane};
  }
  bool const known_before = before.is_of_launch(m_epoch);
  if (known_before && before.is_aside() && !before.is_lone() && !before.is_few()) {
    auto const found = part.words.find(at);
    if (found == part.words.end()) {
      m_lacks_words = true;
      return {Outcome::written};
    }
    Known const known = add(found->second, access);
    set(written);
    return {outcome(known),
            updates_late ? other_updater(found->second, std::countr_zero(access.bytes), access.mark.lane) : std::nullopt};
  }
  bool more = false;
  Few few{at};
  if (known_before) few = unfold(part, at, before, more);
  Known const known = known_of(few, access);
  Touch touched{outcome(known)};
  for (Late const& a : few)
    if (updates_late && a.kind == access.kind && (a.bytes & access.bytes) != 0 && a.mark.lane != access.mark.lane)
      touched.updated_by = std::min(touched.updated_by.value_or(a.mark.lane), a.mark.lane);
  bool const listed = known_before && before.is_few();
  bool const has_room = listed || m_few_count.load(std::memory_order_relaxed) < most_words_of_few;
  if (!more && has_room && few.add(access)) {
    if (listed) {
      part.fews[index] = few;
    } else {
      extra.store(static_cast<std::uint32_t>(part.fews.size()), std::memory_order_relaxed);
      part.fews.push_back(few);
      ++m_few_count;
    }
    set(written.as_few());
    return touched;
  }
  set(written.as_of_table());
  Word* const word = to_table(part, few, more, listed ? &part.fews[index] : nullptr);
  if (word == nullptr) return {Outcome::written};
  add(*word, access);
  return touched;
}

bool FlatShadow::has_renewed(std::uint32_t lane) {
  if (!m_has_renewed.load(std::memory_order_relaxed)) return false;
  std::lock_guard const lock(m_places_mutex);
  return m_renewed.contains(lane / m_team_size);
}

bool FlatShadow::renew_ticks(std::uint32_t first_lane, std::uint32_t lanes,
                             std::function<std::uint32_t(std::uint32_t)> const& renew) {
  auto const renew_one = [&](Late& late) {
    if (late.tick != 0 && late.mark.lane - first_lane < lanes) late.tick = static_cast<std::uint16_t>(renew(late.tick));
  };
  for (Part& part : m_parts) {
    std::lock_guard const lock(part.mutex);
    for (auto& [address, word] : part.words) std::ranges::for_each(word.late, renew_one);
    for (Few& few : part.fews) std::for_each_n(few.accesses.begin(), few.count, renew_one);
  }
  std::lock_guard const lock(m_places_mutex);
  m_renewed.insert(first_lane / m_team_size);
  m_has_renewed = true;
  return m_has_lone.load(std::memory_order_relaxed);
}

void FlatShadow::note_unwritten(Unwritten&& read) {
  std::uintptr_t const at = read.address & ~std::uintptr_t{3};
  Part& part = this->part(at);
  std::lock_guard const lock(part.mutex);
  Word* const known = of_table(part, at);
  if (known == nullptr) return;
  Word& word = *known;
  // Where one lane writes the word later, its own read is none that races: the first lane's alone might be the wrong one.
  constexpr std::size_t most_lanes_of_place = 4;
  auto const order = [](Unwritten const& u) { return std::tuple_cat(u.place(), std::tuple(u.mark.lane)); };
  auto const at_place = std::ranges::lower_bound(word.unwritten, order(read), {}, order);
  if (at_place != word.unwritten.end() && order(*at_place) == order(read)) return;
  auto const same_place = read.place();
  word.unwritten.insert(at_place, std::move(read));
  auto const alike = std::ranges::equal_range(word.unwritten, same_place, {}, &Unwritten::place);
  if (alike.size() > most_lanes_of_place) word.unwritten.erase(std::prev(alike.end()));
  if (word.unwritten.size() > most_reads) word.unwritten.pop_back();
}

FlatShadow::Word FlatShadow::known_of(std::uintptr_t at) {
  Part& part = this->part(at);
  std::unique_lock lock(part.mutex, std::defer_lock);
  FlatWord w = settled(std::atomic_ref(*global_shadow::cell(at)));
  if (w.is_untouched(FlatWord::of_lane(m_epoch, 0))) return {};
  if (w.is_aside()) {
    lock.lock();
    w = settled(std::atomic_ref(*global_shadow::cell(at)));
    if (auto const found = part.words.find(at); found != part.words.end()) return found->second.copy();
  }
  bool more = false;
  Few const few = unfold(part, at, w, more);
  return word_of(few, more);
}

FlatShadow::Writers FlatShadow::writers(std::uintptr_t address, std::uint32_t lane, std::uint64_t lanes) {
  Word const word = known_of(address & ~std::uintptr_t{3});
  Deeds const& deeds = word.parts == nullptr ? word.whole : (*word.parts)[address % 4];
  Writers found;
  auto const is_other = [&](Mark mark) { return mark && mark.lane != lane && mark.lane < lanes; };
  for (AccessKind const kind : {AccessKind::write, AccessKind::atomic_write}) {
    Mark const first = deeds[kind].first, second = deeds[kind].second;
    found.others = found.others || is_other(first) || is_other(second);
    // These two are the lowest: an earlier lane would be one of them.
    found.maybe_itself = found.maybe_itself || (is_other(first) && is_other(second) && second.lane < lane);
  }
  for (Late const& late : word.late)
    found.others = found.others || (is_write(late.kind) && (late.bytes >> address % 4 & 1) && is_other(late.mark));
  for (AccessKind const kind : {AccessKind::write, AccessKind::atomic_write}) {
    auto const is_behind = [&](Late const& late) { return late.kind == kind && late.mark.lane >= lane; };
    found.maybe_itself = found.maybe_itself || (word.lacks_late_of(kind) && std::ranges::none_of(word.late, is_behind));
  }
  return found;
}

FlatShadow::Mark FlatShadow::first_store(std::uintptr_t word) {
  Word const known = known_of(word);
  Mark first;
  auto const add = [&](Mark mark) {
    if (mark && mark.lane < first.lane) first = mark;
  };
  add(known.whole[AccessKind::write].first);
  if (known.parts != nullptr)
    for (Deeds const& deeds : *known.parts) add(deeds[AccessKind::write].first);
  for (Late const& late : known.late)
    if (late.kind == AccessKind::write) add(late.mark);
  return first;
}

void FlatShadow::note_change(std::uintptr_t address, std::uint32_t bytes) {
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + bytes; at += 4) {
    Part& part = this->part(at);
    std::lock_guard const lock(part.mutex);
    Word* const word = of_table(part, at);
    if (word == nullptr) continue;
    word->whole.values_differ = true;
    if (word->parts != nullptr)
      for (Deeds& deeds : *word->parts) deeds.values_differ = true;
  }
}

void FlatShadow::note_shared(Site site, bool of_team) {
  std::lock_guard const lock(m_shared_mutex);
  m_shared[of_team].insert(site);
}

std::vector<Site> FlatShadow::shared_atomics(bool of_team) const {
  std::lock_guard const lock(m_shared_mutex);
  return {m_shared[of_team].begin(), m_shared[of_team].end()};
}

std::vector<Site> FlatShadow::readers(std::uintptr_t address, std::uint32_t lane) {
  Word const word = known_of(address & ~std::uintptr_t{3});
  std::vector<Site> sites;
  bool full = false;
  auto const add = [&](Deeds const& deeds) {
    Accesses const& reads = deeds[AccessKind::read];
    for (Mark const mark : {reads.first, reads.second})
      if (mark) sites.push_back(mark.site);
    full = full || (reads.second && reads.first.lane != lane && reads.second.lane != lane);
  };
  for (Late const& late : word.late)
    if (late.kind == AccessKind::read && late.mark.lane == lane) sites.push_back(late.mark.site);
  full = word.lacks_late_of(AccessKind::read);
  if (word.parts == nullptr)
    add(word.whole);
  else
    for (Deeds const& deeds : *word.parts) add(deeds);
  if (!full) return sites;
  // Of more than two lanes not all are known.
  std::lock_guard const lock(m_places_mutex);
  sites.insert(sites.end(), m_sites.begin(), m_sites.end());
  if (m_places_ran_out) sites.push_back(Site{});
  return sites;
}

void FlatShadow::for_each(std::function<void(std::uintptr_t, Word const&)> const& f) const {
  std::vector<std::pair<std::uintptr_t, Part const*>> all;
  for (Part const& part : m_parts) {
    std::lock_guard const lock(part.mutex);
    for (auto const& [address, word] : part.words) all.emplace_back(address, &part);
    for (Few const& few : part.fews)
      if (few.address != 0) all.emplace_back(few.address, &part);
  }
  std::sort(all.begin(), all.end());
  for (auto const& [address, part] : all) {
    std::unique_lock lock(part->mutex);
    Word word;
    if (auto const found = part->words.find(address); found != part->words.end())
      word = found->second.copy();
    else
      word = word_of(part->fews[*global_shadow::extra(address)], false);
    lock.unlock();
    f(address, word);
  }
}

}  // namespace teamsan
