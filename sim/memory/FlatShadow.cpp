// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <teamsan/sim/memory/FlatShadow.hpp>

#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace teamsan {

namespace {

/// The word once nobody is changing it.
std::uint64_t settled(std::atomic_ref<std::uint64_t> main) {
  using namespace flat;
  for (unsigned turns = 0;; ++turns) {
    std::uint64_t const m = main.load(std::memory_order_acquire);
    if (!(m & 1) || !(m & busy)) return m;
    if (turns > 1000) std::this_thread::yield();
  }
}

}  // namespace

void FlatShadow::Accesses::add(Mark mark, std::uint32_t team_size) {
  if (!first) {
    first = mark;
    return;
  }
  several_teams = several_teams || mark.lane / team_size != first.lane / team_size;
  if (mark.lane == first.lane || mark.lane == second.lane) return;
  if (mark.lane < first.lane)
    second = std::exchange(first, mark);
  else if (!second || mark.lane < second.lane)
    second = mark;
}

FlatShadow::Word FlatShadow::Word::copy() const {
  return {whole, parts == nullptr ? nullptr : std::make_unique<std::array<Deeds, 4>>(*parts), uninit, uninit_address,
          uninit_bytes, unseen_store};
}

bool FlatShadow::Word::is_written_by(std::uint32_t lane) const {
  auto const in = [&](Deeds const& deeds) {
    Accesses const& stores = deeds[AccessKind::write];
    return (stores.first && stores.first.lane == lane) || (stores.second && stores.second.lane == lane);
  };
  return parts == nullptr ? in(whole) : std::ranges::any_of(*parts, in);
}

flat::Place FlatShadow::place(std::uint32_t pc) {
  using namespace flat;
  std::lock_guard const lock(m_places_mutex);
  auto const [found, fresh] = m_places.try_emplace(pc, unknown_place);
  if (fresh && m_pcs.size() < unknown_place) {
    found->second = static_cast<Place>(m_pcs.size());
    m_pcs.push_back(pc);
  }
  if (found->second == unknown_place) m_lacks_places = true;
  return found->second;
}

std::uint32_t FlatShadow::pc_of(flat::Place place) {
  std::lock_guard const lock(m_places_mutex);
  return place < m_pcs.size() ? m_pcs[place] : 0;
}

void FlatShadow::unfold(Word& word, std::uintptr_t address, std::uint64_t main) {
  using namespace flat;
  if (main & 1) {
    std::uint32_t const lane = lane_of(main), pc = pc_of(static_cast<Place>(main >> place_shift)),
                        second_pc = pc_of(static_cast<Place>(main >> second_place_shift));
    AccessKind const kind = main & atomic ? AccessKind::atomic_write : main & written ? AccessKind::write : AccessKind::read;
    word.whole[kind].first = {lane, pc};
    if (main & many)
      word.whole[kind].add(
          {std::atomic_ref(*global_shadow::extra(address)).load(std::memory_order_relaxed), second_pc}, m_team_size);
    else if (main & written && main & read)
      word.whole[AccessKind::read].first = {lane, second_pc};
    return;
  }
  GlobalWord const g = global_shadow::unpack(main, *global_shadow::extra(address));
  auto const mark = [&](std::uint32_t lane, std::uint32_t site) {
    return Mark{static_cast<std::uint32_t>(g.team * m_team_size + lane),
                site < m_committed_pcs.size() ? m_committed_pcs[site] : 0};
  };
  if (g.written_by_first() != 0)
    word.whole[g.write_atomic ? AccessKind::atomic_write : AccessKind::write].add(mark(g.write_lane, g.write_site),
                                                                                  m_team_size);
  if (g.read != 0) {
    Mark const read = mark(g.read_lane, g.read_site);
    AccessKind const kind = loads_for_update(read.pc) ? AccessKind::atomic_write
                            : g.read_atomic           ? AccessKind::atomic_read
                                                      : AccessKind::read;
    word.whole[kind].add(read, m_team_size);
  }
}

/// Without a lock: whoever makes the word busy has `extra`, for the few instructions until it is the word again.
bool FlatShadow::join_alike(std::uintptr_t address, AccessKind kind, std::uint32_t lane, flat::Place place) {
  using namespace flat;
  std::uint64_t const looked_at = epoch_mask | atomic | aside | (kind == AccessKind::read ? written : 0);
  std::uint64_t const alike = (m_epoch | 1) | (kind == AccessKind::read ? 0 : atomic);
  std::atomic_ref const main(*global_shadow::cell(address));
  std::atomic_ref const extra(*global_shadow::extra(address));
  for (std::uint64_t m = settled(main);; m = settled(main)) {
    if ((m & looked_at) != alike) return false;
    std::uint32_t const first = lane_of(m);
    if (lane == first) return true;
    bool const has_second = m & many;
    std::uint32_t const second = has_second ? extra.load(std::memory_order_relaxed) : std::numeric_limits<std::uint32_t>::max();
    if (lane >= second) return true;
    if (!main.compare_exchange_weak(m, m | busy, std::memory_order_acquire)) continue;
    std::uint64_t const own_place = std::uint64_t{place} << place_shift;
    std::uint64_t next = (m & ~places) | many;
    if (lane < first) {
      next = (next & ~lane_mask) | (word_of(m_epoch, lane) & lane_mask) | own_place |
             (m & std::uint64_t{0xff} << place_shift) << 8;
      extra.store(first, std::memory_order_relaxed);
    } else {
      next |= (m & std::uint64_t{0xff} << place_shift) | own_place << 8;
      extra.store(lane, std::memory_order_relaxed);
    }
    main.store(next, std::memory_order_release);
    return true;
  }
}

FlatShadow::Outcome FlatShadow::touch(std::uintptr_t address, bool whole, AccessKind kind, Mark mark) {
  using namespace flat;
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  std::atomic_ref const main(*global_shadow::cell(at));
  Part& part = this->part(at);
  bool const reads = kind == AccessKind::read, writes = kind == AccessKind::write, updates = kind == AccessKind::atomic_write;
  FlatTable& table = FlatTable::of_this_thread();
  table.take(at);
  std::unique_lock const lock(part.mutex);
  if (!whole && !table.learn_window(address, 1, m_context)) return Outcome::outside;  // an allocation may end within a word
  if (whole && !table.knows(address, mark.pc, 0)) {  // so that the next one need not come here
    table.learn_window(address, 4, m_context);
    table.learn_place(mark.pc, *this);
  }
  for (std::uint64_t m = settled(main);; m = settled(main)) {
    if (((m ^ m_epoch) & launch_mask) != 0) {  // nobody has touched it
      if (whole && !table.learn_window(address, 4, m_context)) return Outcome::outside;
      std::uint64_t const init = init_of_untouched(m);
      bool const plain = whole && (writes || ((reads || updates) && init == 15));
      std::uint64_t const next = plain ? word_of(m_epoch, mark.lane) | init << 6 |
                                             (writes ? written : reads ? read : written | atomic) |
                                             std::uint64_t{table.learn_place(mark.pc, *this)} << place_shift
                                       : (m_epoch | 1) | init << 6 | aside;
      if (!main.compare_exchange_strong(m, next)) continue;
      if (plain) return init == 0 ? Outcome::fresh : Outcome::written;
      return join(part, address, whole, kind, mark);
    }
    if (m & 1 && m & aside) return join(part, address, whole, kind, mark);
    if (m & 1 && whole && updates && m & atomic) {
      if (!join_alike(at, kind, mark.lane, table.learn_place(mark.pc, *this))) continue;
      if (lane_of(m) != mark.lane) table.note_shared(mark.pc, lane_of(m), mark.lane, *this);
      return Outcome::written;
    }
    if (m & 1 && whole && (reads || writes) && !(m & atomic)) {
      bool const own = lane_of(m) == mark.lane;
      std::uint64_t const place = std::uint64_t{table.learn_place(mark.pc, *this)} << place_shift;
      if (reads && !(m & written)) {
        if (join_alike(at, kind, mark.lane, table.learn_place(mark.pc, *this))) return Outcome::written;
        continue;
      }
      if (own && !(m & many)) {
        std::uint64_t const next =
            writes ? (m & written ? m : (m & ~places) | written | (m & std::uint64_t{0xff} << place_shift) << 8 | place)
                   : (m & read ? m : m | read | place << 8);
        if (main.compare_exchange_strong(m, next)) return Outcome::written;
        continue;
      }
    }
    if (!(m & 1) && whole && (reads || updates)) {  // the first team did the same, most likely
      Word word;
      unfold(word, at, m);
      bool alone = !global_shadow::is_split(*global_shadow::extra(at));
      for (std::size_t i = 0; i != word.whole.of.size(); ++i)
        alone = alone && static_cast<bool>(word.whole.of[i].first) == (&word.whole.of[i] == &word.whole[kind]) &&
                !word.whole.of[i].second;
      if (alone) {
        Mark const first = word.whole[kind].first;
        std::uint64_t const next = word_of(m_epoch, first.lane) | (m & init_mask) | (reads ? read : written | atomic) |
                                   std::uint64_t{place(first.pc)} << place_shift;
        main.compare_exchange_strong(m, next);
        continue;
      }
    }
    // More has to be known of it from here on.
    if (m_count.load(std::memory_order_relaxed) >= most_words) {
      m_lacks_words = true;
      return Outcome::written;
    }
    if (!main.compare_exchange_strong(m, (m_epoch | 1) | (m & (init_mask | written)) | aside)) continue;
    Word& word = part.words[at];
    ++m_count;
    unfold(word, at, m);
    return join(part, address, whole, kind, mark);
  }
}

FlatShadow::Outcome FlatShadow::join(Part& part, std::uintptr_t address, bool whole, AccessKind kind, Mark mark) {
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  if (m_count.load(std::memory_order_relaxed) >= most_words && !part.words.contains(at)) {
    m_lacks_words = true;
    return Outcome::written;
  }
  auto const [found, made] = part.words.try_emplace(at);
  if (made) ++m_count;
  Word& word = found->second;
  if (!whole && word.parts == nullptr) {
    word.parts = std::make_unique<std::array<Deeds, 4>>();
    word.parts->fill(word.whole);
  }
  bool const writes = kind == AccessKind::write || kind == AccessKind::atomic_write;
  std::atomic_ref const main(*global_shadow::cell(at));
  std::uint64_t const m = main.load(std::memory_order_relaxed);
  std::uint64_t const bytes = whole ? 15 : std::uint64_t{1} << (address & 3);
  bool const known = ((m >> 6 | m >> 34) & bytes) != 0;
  bool again = false;
  auto const add = [&](Deeds& deeds) {
    Accesses& accesses = deeds[kind];
    auto const shares = [&](Mark other) {
      return other && other.lane != mark.lane && other.lane / m_team_size == mark.lane / m_team_size;
    };
    again = again || (kind == AccessKind::write && (shares(accesses.first) || shares(accesses.second)));
    accesses.add(mark, m_team_size);
  };
  if (word.parts == nullptr)
    add(word.whole);
  else
    for (unsigned b = 0; b != 4; ++b)
      if (bytes >> b & 1) add((*word.parts)[b]);
  if (writes && (m >> 34 & bytes) != bytes) main.store(m | bytes << 34, std::memory_order_relaxed);  // we have the lock
  return again ? Outcome::store_again : known ? Outcome::written : Outcome::fresh;
}

void FlatShadow::note_uninit(std::uintptr_t address, std::uint8_t bytes, Mark mark, bool unseen_store) {
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  Part& part = this->part(at);
  std::lock_guard const lock(part.mutex);
  auto const found = part.words.find(at);
  if (found == part.words.end()) return;
  Word& word = found->second;
  word.unseen_store = word.unseen_store || unseen_store;
  if (word.uninit && word.uninit.lane <= mark.lane) return;
  word.uninit = mark;
  word.uninit_address = address;
  word.uninit_bytes = bytes;
}

void FlatShadow::note_change(std::uintptr_t address, std::uint32_t bytes) {
  for (std::uintptr_t at = address & ~std::uintptr_t{3}; at < address + bytes; at += 4) {
    Part& part = this->part(at);
    std::lock_guard const lock(part.mutex);
    auto const found = part.words.find(at);
    if (found == part.words.end()) continue;
    found->second.whole.values_differ = true;
    if (found->second.parts != nullptr)
      for (Deeds& deeds : *found->second.parts) deeds.values_differ = true;
  }
}

void FlatShadow::note_shared(std::uint32_t pc, bool of_team) {
  std::lock_guard const lock(m_shared_mutex);
  m_shared[of_team].insert(pc);
}

std::vector<std::uint32_t> FlatShadow::shared_atomics(bool of_team) const {
  std::lock_guard const lock(m_shared_mutex);
  return {m_shared[of_team].begin(), m_shared[of_team].end()};
}

void FlatShadow::note(std::uint32_t lane, std::unordered_set<std::uint32_t>& lanes) {
  std::lock_guard const lock(m_ordering_mutex);
  m_any_ordering = true;
  if (lanes.size() < most_ordering_lanes) lanes.insert(lane);
}

bool FlatShadow::may_be_ordered(std::uint32_t a, std::uint32_t b) const {
  if (!m_any_ordering) return false;
  std::lock_guard const lock(m_ordering_mutex);
  auto const has = [](std::unordered_set<std::uint32_t> const& lanes, std::uint32_t lane) {
    return lanes.size() == most_ordering_lanes || lanes.contains(lane);
  };
  return (has(m_released, a) && has(m_acquired, b)) || (has(m_released, b) && has(m_acquired, a));
}

std::vector<std::uint32_t> FlatShadow::readers(std::uintptr_t address, std::uint32_t lane) {
  using namespace flat;
  std::uintptr_t const at = address & ~std::uintptr_t{3};
  std::uint64_t const m = settled(std::atomic_ref(*global_shadow::cell(at)));
  if (((m ^ m_epoch) & launch_mask) != 0) return {};
  Word word;
  if (Part& part = this->part(at); m & 1 && m & aside) {
    std::lock_guard const lock(part.mutex);
    if (auto const found = part.words.find(at); found != part.words.end()) word = found->second.copy();
  } else {
    unfold(word, at, m);
  }
  std::vector<std::uint32_t> pcs;
  bool full = false;
  auto const add = [&](Deeds const& deeds) {
    Accesses const& reads = deeds[AccessKind::read];
    for (Mark const mark : {reads.first, reads.second})
      if (mark) pcs.push_back(mark.pc);
    full = full || (reads.second && reads.first.lane != lane && reads.second.lane != lane);
  };
  if (word.parts == nullptr)
    add(word.whole);
  else
    for (Deeds const& deeds : *word.parts) add(deeds);
  if (!full) return pcs;
  // Of more than two lanes not all are known.
  std::lock_guard const lock(m_places_mutex);
  pcs.insert(pcs.end(), m_pcs.begin(), m_pcs.end());
  if (m_lacks_places) pcs.push_back(0);
  return pcs;
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

FlatTable& FlatTable::of_this_thread() {
  thread_local FlatTable table{};
  return table;
}

void FlatTable::begin_team(std::uint64_t launch_number) {
  bool const new_launch = std::exchange(launch, launch_number) != launch_number;
  std::uint64_t const freed_now = freed_allocations();  // by another host thread, maybe
  if (std::exchange(freed, freed_now) == freed_now && !new_launch) return;
  std::memset(windows, 0, sizeof(windows));
  forget_sites();
}

void FlatTable::forget_sites() {
  for (std::uint32_t i = 0; i != used_slots; ++i) sites[used[i]] = {};
  used_slots = 0;
}

bool FlatTable::learn_window(std::uintptr_t address, std::uint32_t bytes, std::uint32_t context) {
  Allocation const* const a = find_allocation(address);
  if (a == nullptr || !a->live || a->closed_to(context)) return false;
  if (address < a->data() || address + bytes > a->end()) return false;
  global_shadow::mark_dirty(address);
  std::uintptr_t const chunk = address >> window_shift << window_shift;
  std::uintptr_t const begin = std::max(chunk, (a->data() + 3) / 4 * 4);
  std::uintptr_t const end = std::min(chunk + (std::uintptr_t{1} << window_shift), a->end());
  if (end <= begin) return true;
  Window& w = windows[address >> window_shift & 63];
  w.begin = begin;
  for (unsigned i = 0; i != 3; ++i)
    w.room[i] = static_cast<std::uint32_t>(std::max<std::uintptr_t>(end - begin, (4u << i) - 1) - ((4u << i) - 1));
  return true;
}

flat::Place FlatTable::learn_place(std::uint32_t pc, FlatShadow& shadow) {
  Site& s = site(pc);
  if (s.pc == pc) return s.place();
  if (s.pc == 0) used[used_slots++] = static_cast<std::uint16_t>(slot(pc));
  s = {0, 0, pc, std::uint64_t{shadow.place(pc)} << flat::place_shift, 0, 0, may_be_pool};
  return s.place();
}

bool FlatTable::aim(std::uintptr_t address, std::uint32_t pc, unsigned width) {
  if (!knows(address, pc, width)) return false;
  std::uintptr_t begin = window(address).begin, end = begin + window(address).room[width] + (4u << width) - 1;
  constexpr std::uint32_t often = 64;
  Site& s = site(pc);
  if (++s.aimed % often == 0) {
    Allocation const* const a = find_allocation(address);
    std::uintptr_t const chunks = a == nullptr ? 0 : (a->end() - a->data()) >> window_shift;
    if (a != nullptr && chunks / 8 <= s.aimed) {
      begin = a->data();
      end = a->end();
      for (std::uintptr_t at = begin; at < end; at += std::uintptr_t{1} << window_shift) global_shadow::mark_dirty(at);
      global_shadow::mark_dirty(end - 1);
    }
  }
  s.pool = may_be_pool;
  s.begin = (begin + 15) / 16 * 16;
  s.room = end <= s.begin ? 0
                          : static_cast<std::uint32_t>(std::min<std::uintptr_t>((end - s.begin) >> (2 + width),
                                                                                std::numeric_limits<std::uint32_t>::max()));
  return ((address - s.begin) >> (2 + width)) < s.room;
}

void FlatTable::note_shared(std::uint32_t pc, std::uint32_t other, std::uint32_t lane, FlatShadow& shadow) {
  bool const of_team = other / shadow.team_size() == lane / shadow.team_size();
  learn_place(pc, shadow);
  std::uint8_t& shared = site(pc).shared;
  std::uint8_t const bit = of_team ? 1 : 2;
  if (shared & bit) return;
  shared |= bit;
  shadow.note_shared(pc, of_team);
}

}  // namespace teamsan
