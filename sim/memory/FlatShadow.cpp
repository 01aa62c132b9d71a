// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatShadow.hpp"

#include "GlobalShadow.hpp"

#include <algorithm>
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

}  // namespace

void FlatShadow::renew(std::uint32_t epoch, std::uint32_t context, std::uint32_t team_size) {
  m_epoch = epoch;
  m_context = context;
  m_team_size = team_size;
  m_committed_sites.clear();
  m_has_first_team = false;
  m_load_count = 0;
  if (m_count != 0)
    for (Part& part : m_parts) decltype(part.words)().swap(part.words);
  m_count = 0;
  m_lacks_words = m_places_ran_out = m_has_late = false;
  m_places.clear();
  m_sites.clear();
  m_word_sites.clear();
  m_bytes.renew();
  if (m_has_shared.exchange(false, std::memory_order_relaxed))
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

Site FlatShadow::site_of(flat::Place place) {
  std::lock_guard const lock(m_places_mutex);
  return place < m_sites.size() ? m_sites[place] : Site{};
}

std::vector<Site> FlatShadow::sites() {
  std::lock_guard const lock(m_places_mutex);
  return m_sites;
}

Site FlatShadow::site(std::uintptr_t address, FlatWord word, flat::Place place, bool second) {
  return place == flat::unknown_place ? m_word_sites.find(address, index(word, second)) : site_of(place);
}

FlatShadow::Cell FlatShadow::cell_of(std::uintptr_t word) {
  return {word, global_shadow::cell(word), global_shadow::extra(word)};
}

bool FlatShadow::become(Cell const& cell, FlatWord before, FlatWord next, Site site, bool second) {
  std::atomic_ref const main(*cell.main);
  if ((second ? next.second_place() : next.place()) != flat::unknown_place) return replace(main, before, next);
  WordSites::Both& sites = m_word_sites.of(cell.address);
  if (!replace(main, before, next.made_busy())) return false;
  sites[index(next, second)].store(site, std::memory_order_relaxed);
  main.store(next.bits(), std::memory_order_release);
  return true;
}

void FlatShadow::unfold(Deeds& deeds, Cell const& cell, FlatWord main) {
  std::uint32_t const lane = main.lane();
  Site const site = first_site(cell.address, main);
  AccessKind const kind = main.is_updated()   ? AccessKind::atomic_write
                          : main.is_written() ? AccessKind::write
                                              : AccessKind::read;
  deeds[kind].first = {lane, site};
  deeds[kind].more = main.is_of_many();
  if (main.is_of_many())
    deeds[kind].add({std::atomic_ref(*cell.extra).load(std::memory_order_relaxed), second_site(cell.address, main)},
                    m_team_size);
  else if (main.is_written() && main.is_read())
    deeds[AccessKind::read].first = {lane, second_site(cell.address, main)};
}

void FlatShadow::add_of_team(Deeds& deeds, GlobalWord const& g, std::uint32_t bytes) {
  auto const mark = [&](std::uint32_t lane, std::uint32_t number) {
    return Mark{static_cast<std::uint32_t>(g.team * m_team_size + lane),
                number < m_committed_sites.size() ? m_committed_sites[number] : Site{}};
  };
  if ((g.written_by_first() & bytes) != 0)
    deeds[g.write_atomic ? AccessKind::atomic_write : AccessKind::write].add(mark(g.write_lane, g.write_site), m_team_size);
  if ((g.read & bytes) == 0) return;
  Mark const read = mark(g.read_lane, g.read_site);
  AccessKind const kind = loads_for_update(read.site) ? AccessKind::atomic_write
                          : g.read_atomic           ? AccessKind::atomic_read
                                                    : AccessKind::read;
  deeds[kind].add(read, m_team_size);
}

void FlatShadow::unfold(Word& word, std::uintptr_t address, FlatWord main) {
  if (main.is_flat()) return unfold(word.whole, cell_of(address), main);
  GlobalWord const g = global_shadow::unpack(main.bits(), *global_shadow::extra(address));
  if (!g.split && (g.read == 0 || g.read == 15) && (g.written_by_first() == 0 || g.written_by_first() == 15))
    return add_of_team(word.whole, g, 15);
  word.parts = std::make_unique<std::array<Deeds, 4>>();
  for (unsigned b = 0; b != 4; ++b)
    add_of_team((*word.parts)[b], g.split ? global_shadow::split_word(address)[b] : g, g.split ? 1 : 1u << b);
}

/// Without a lock: whoever makes the word busy has `extra`, and its sites, for the few instructions until it is the word again.
bool FlatShadow::join_alike(std::uintptr_t address, AccessKind kind, Mark mark, flat::Place place) {
  return join_alike(cell_of(address), kind, mark, place);
}

bool FlatShadow::join_alike(Cell const& cell, AccessKind kind, Mark mark, flat::Place place) {
  std::atomic_ref const main(*cell.main);
  std::atomic_ref const extra(*cell.extra);
  std::uint32_t const lane = mark.lane;
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
    bool const earlier = lane < first, moves = earlier && w.place() == flat::unknown_place;
    WordSites::Both* const sites = moves || place == flat::unknown_place ? &m_word_sites.of(cell.address) : nullptr;
    if (!replace(main, w, w.made_busy())) continue;
    // The second lane is no part of these bits: another worker's, by the same instruction, may have become it meanwhile.
    if (w.is_of_many() && lane >= extra.load(std::memory_order_relaxed)) {
      main.store(w.bits(), std::memory_order_release);
      return true;
    }
    if (moves) (*sites)[index(w, true)].store((*sites)[index(w, false)], std::memory_order_relaxed);
    if (place == flat::unknown_place) (*sites)[index(w, !earlier)].store(mark.site, std::memory_order_relaxed);
    extra.store(earlier ? first : lane, std::memory_order_relaxed);
    main.store((earlier ? w.earlier_lane(mine, place_bits) : w.other_second_lane(place_bits)).bits(),
               std::memory_order_release);
    return true;
  }
}

std::optional<FlatShadow::Touch> FlatShadow::advance(Cell const& cell, AccessKind kind, Mark mark, flat::Place place) {
  std::atomic_ref const main(*cell.main);
  bool const reads = kind == AccessKind::read, writes = kind == AccessKind::write, updates = kind == AccessKind::atomic_write;
  FlatWord const mine = FlatWord::of_lane(m_epoch, mark.lane);
  std::uint64_t const place_bits = FlatWord::place_bits_of(place);
  for (FlatWord w = settled(main);; w = settled(main)) {
    if (w.is_untouched(mine)) {
      std::uint64_t const init = cell.init.value_or(w.init_of_untouched());
      if (!writes && !((reads || updates) && init == 15)) return {};
      FlatWord const next = writes  ? w.first_write(mine, place_bits)
                            : reads ? FlatWord::first_read(mine, place_bits)
                                    : FlatWord::first_update(mine, place_bits);
      if (!become(cell, w, next, mark.site, false)) continue;
      return Touch{init == 0 ? Outcome::fresh : Outcome::written};
    }
    if (!w.is_flat() || w.is_aside()) return {};
    if ((updates && w.is_updated()) || (reads && w.is_only_read() && !w.is_updated())) {
      if (!join_alike(cell, kind, mark, place)) continue;
      return updates ? Touch{Outcome::written, w.lane()} : Touch{Outcome::written};
    }
    if (!(reads || writes) || !w.is_own_alone(mine)) return {};
    bool const again = writes ? w.is_written() : w.is_read();
    FlatWord const next = writes ? w.own_write(place_bits) : w.own_read(place_bits);
    if (again || become(cell, w, next, mark.site, reads)) return Touch{Outcome::written};
  }
}

FlatShadow::Touch FlatShadow::touch(std::uintptr_t address, bool whole, AccessKind kind, Mark mark, flat::Place place,
                                    std::uint32_t tick) {
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  Cell const cell = cell_of(at);
  std::atomic_ref const main(*cell.main);
  Part& part = this->part(at);
  bool const reads = kind == AccessKind::read, updates = kind == AccessKind::atomic_write;
  FlatWord const mine = FlatWord::of_lane(m_epoch, mark.lane);
  bool const alone = tick == 0;  // the shadow has room for no more
  bool const by_bytes = alone && !whole && place != flat::unknown_place;
  std::unique_lock const lock(part.mutex);
  auto const joined = [&] {
    Touch touched{join(part, address, whole, kind, mark, tick)};
    auto const word = part.words.find(at);
    if (updates && tick != 0 && word != part.words.end())
      touched.updated_by = word->second.other_updater(address % 4, mark.lane);
    return touched;
  };
  for (;;) {
    if (whole && alone)
      if (std::optional<Touch> const touched = advance(cell, kind, mark, place)) return *touched;
    FlatWord const w = settled(main);
    if (w.is_parted(mine)) {
      std::uint64_t const bytes = whole ? 15 : std::uint64_t{1} << (address & 3);
      if (alone && place != flat::unknown_place)
        if (std::optional<Touch> const touched = touch_bytes(at, w, bytes, kind, mark, place)) return *touched;
      if (!put_together(part, at)) return {Outcome::written};
      return joined();
    }
    if (by_bytes && (w.is_untouched(mine) || !w.is_aside() || !w.is_flat()) && part_word(at, w)) continue;
    if (w.is_untouched(mine)) {
      if (!replace(main, w, w.set_aside_untouched(m_epoch))) continue;
      return joined();
    }
    if (w.is_flat() && w.is_aside()) return joined();
    if (!w.is_flat() && whole && alone && (reads || updates) && w.init() == 15) {  // the first team did the same, most likely
      Word word;
      unfold(word, at, w);
      bool only = word.parts == nullptr;
      for (std::size_t i = 0; i != word.whole.of.size(); ++i)
        only = only && static_cast<bool>(word.whole.of[i].first) == (&word.whole.of[i] == &word.whole[kind]) &&
               !word.whole.of[i].second;
      if (only) {
        Mark const first = word.whole[kind].first;
        FlatWord const lane = FlatWord::of_lane(m_epoch, first.lane);
        std::uint64_t const bits = FlatWord::place_bits_of(this->place(first.site));
        become(cell, w, reads ? w.first_team_read(lane, bits) : w.first_team_update(lane, bits), first.site, false);
        continue;
      }
    }
    // More has to be known of it from here on.
    if (m_count.load(std::memory_order_relaxed) >= most_words) {
      m_lacks_words = true;
      return {Outcome::written};
    }
    if (!replace(main, w, w.set_aside(m_epoch))) continue;
    Word& word = part.words[at];
    ++m_count;
    unfold(word, at, w);
    return joined();
  }
}

FlatShadow::Outcome FlatShadow::join(Part& part, std::uintptr_t address, bool whole, AccessKind kind, Mark mark,
                                     std::uint32_t tick) {
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  if (m_count.load(std::memory_order_relaxed) >= most_words && !part.words.contains(at)) {
    m_lacks_words = true;
    return Outcome::written;
  }
  auto const [found, made] = part.words.try_emplace(at);
  if (made) ++m_count;
  bool const writes = kind == AccessKind::write || kind == AccessKind::atomic_write;
  std::atomic_ref const main(*global_shadow::cell(at));
  FlatWord const w(main.load(std::memory_order_relaxed));
  std::uint64_t const bytes = whole ? 15 : std::uint64_t{1} << (address & 3);
  if (tick != 0) m_has_late.store(true, std::memory_order_relaxed);
  Word::Joined const before = found->second.join(bytes, w.init(), kind, mark, tick, m_team_size);
  if (writes) main.fetch_or(FlatWord(0).with_written(bytes).bits(), std::memory_order_relaxed);  // bytes' own may be noted, too
  if (before.again) return Outcome::store_again;
  return before.known ? Outcome::written : (w.written_so_far() & bytes) != 0 ? Outcome::by_others : Outcome::fresh;
}

void FlatShadow::renew_ticks(std::uint32_t first_lane, std::uint32_t lanes,
                             std::function<std::uint32_t(std::uint32_t)> const& renew) {
  for (Part& part : m_parts) {
    std::lock_guard const lock(part.mutex);
    for (auto& [address, word] : part.words)
      for (Late& late : word.late)
        if (late.mark.lane - first_lane < lanes) late.tick = static_cast<std::uint16_t>(renew(late.tick));
  }
}

void FlatShadow::note_unwritten(Unwritten&& read) {
  std::uintptr_t const at = read.address & ~std::uintptr_t{3};
  Part& part = this->part(at);
  std::lock_guard const lock(part.mutex);
  if (auto const found = part.words.find(at); found != part.words.end()) found->second.note_unwritten(std::move(read));
}

void FlatShadow::note_unwritten_by_first(Unwritten&& read) {
  std::uintptr_t const at = read.address & ~std::uintptr_t{3};
  std::uint64_t& main = *global_shadow::cell(at);  // no other lane runs
  Part& part = this->part(at);
  if (FlatWord const w(main); !w.is_flat()) {
    if (m_count.load(std::memory_order_relaxed) >= most_words) {
      m_lacks_words = true;
      return;
    }
    ++m_count;
    unfold(part.words[at], at, w);
    main = w.set_aside(m_epoch).bits();
  } else if (w.is_parted(FlatWord::of_lane(m_epoch, 0)) && !put_together(part, at)) {
    return;
  }
  note_unwritten(std::move(read));
}

FlatShadow::Word FlatShadow::known_of(std::uintptr_t at) {
  FlatWord const w = settled(std::atomic_ref(*global_shadow::cell(at)));
  if (w.is_untouched(FlatWord::of_lane(m_epoch, 0))) return {};
  if (Part& part = this->part(at); w.is_flat() && w.is_aside()) {
    std::lock_guard const lock(part.mutex);
    if (FlatWord const now = settled(std::atomic_ref(*global_shadow::cell(at))); now.is_parted(FlatWord::of_lane(m_epoch, 0))) {
      Word word;
      unfold_bytes(word, at, now);
      return word;
    }
    auto const found = part.words.find(at);
    return found != part.words.end() ? found->second.copy() : Word{};
  }
  Word word;
  unfold(word, at, w);
  return word;
}

FlatShadow::Writers FlatShadow::writers(std::uintptr_t address, std::uint32_t lane, std::uint64_t lanes) {
  return known_of(address & ~std::uintptr_t{3}).writers(address % 4, lane, lanes);
}

void FlatShadow::note_change(std::uintptr_t address, std::uint32_t bytes) {
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + bytes; at += 4) {
    Part& part = this->part(at);
    std::lock_guard const lock(part.mutex);
    if (auto const found = part.words.find(at); found != part.words.end()) found->second.note_change();
  }
}

void FlatShadow::note_shared(Site site, bool of_team) {
  std::lock_guard const lock(m_shared_mutex);
  m_shared[of_team].insert(site);
  m_has_shared.store(true, std::memory_order_relaxed);
}

std::vector<Site> FlatShadow::shared_atomics(bool of_team) const {
  if (!m_has_shared.load(std::memory_order_relaxed)) return {};
  std::lock_guard const lock(m_shared_mutex);
  return {m_shared[of_team].begin(), m_shared[of_team].end()};
}

std::vector<Site> FlatShadow::readers(std::uintptr_t address, std::uint32_t lane) {
  auto [sites, may_be_others] = known_of(address & ~std::uintptr_t{3}).readers(lane);
  if (!may_be_others) return sites;
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
  }
  std::sort(all.begin(), all.end());
  for (auto const& [address, part] : all) {
    std::unique_lock lock(part->mutex);
    auto const found = part->words.find(address);
    if (found == part->words.end()) continue;
    Word const word = found->second.copy();
    lock.unlock();
    f(address, word);
  }
}

}  // namespace teamsan
