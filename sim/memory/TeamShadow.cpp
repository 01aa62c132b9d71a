// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamShadow.hpp"

#include "FlatShadow.hpp"

#include "Allocations.hpp"
#include "GlobalShadow.hpp"
#include "MemoryLimit.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

namespace teamsan {

namespace {
constexpr unsigned initial_bits = 8;

/// Bytes that no lane may touch. Nothing is ever written there.
ByteLine& poisoned_bytes() {
  static ByteLine& all = *[] {
    auto* const line = new ByteLine;
    std::fill_n(line->first, Line::bytes, Cell{{Site{}, who::poison}, {Site{}, who::poison}});
    return line;
  }();
  return all;
}

}  // namespace

TeamShadow::TeamShadow() : m_index(std::size_t{1} << initial_bits), m_shift(64 - initial_bits) {}

inline std::size_t TeamShadow::slot_of(std::uintptr_t key) const {
  std::size_t const mask = m_index.size() - 1;
  std::size_t slot = hash(key, m_shift);
  while (m_index[slot].key != 0 && (m_index[slot].key & ~wide) != key) slot = (slot + 1) & mask;
  return slot;
}

inline Line& TeamShadow::next_line() {
  if (m_used == m_chunks.size() * LineChunk::lines) {
    memory_limit::stop_if_passed();
    m_chunks.push_back(std::make_unique_for_overwrite<LineChunk>());
  }
  return (*this)[m_used++];
}

inline void TeamShadow::make(Line& line, bool may_be_wide) {
  std::uintptr_t const address = line.key * Line::bytes;
  Allocation const& allocation = *line.allocation;
  line.per_byte = nullptr;
  line.wide = may_be_wide;
  line.has_more = false;

  // Another worker may be committing an earlier team of this launch: init_before does not see that.
  std::uint64_t* const main = global_shadow::cell(address);
  // Lanes mostly go on to the next lines: their words are on the way by then.
  __builtin_prefetch(main + 2 * Line::words);
  __builtin_prefetch(main + 2 * Line::words + 8);
  std::uintptr_t const begin = allocation.data(), end = allocation.end();
  bool const inside = address >= begin && address + Line::bytes <= end;
  bool const unseen = global_shadow::is_initialised_unseen(address);
  m_host_reaches = m_host_reaches || unseen;
  std::uint64_t of_all = ~std::uint64_t{0};
#pragma GCC unroll 16
  for (unsigned i = 0; i != Line::words; ++i) {
    of_all &= std::atomic_ref(main[i]).load(std::memory_order_relaxed);
    asm("" : "+r"(of_all));  // or all words would be held, on the stack, until it is known that they matter
  }
  // Written in the launches before the latest, or read since: most lines.
  if (inside && (unseen || (of_all >> 6 & 15) == 15)) {
    static constexpr Cell known{{Site{}, who::before_launch}, {Site{}, 0}};
#pragma GCC unroll 8
    for (unsigned i = 0; i != Line::words / 2; ++i) std::memcpy(&line.first[i], &known, sizeof known);  // one store each
    if (!may_be_wide) std::fill_n(line.first + Line::words / 2, Line::words / 2, known);
    return;
  }
  make_by_words(line, inside, may_be_wide);
}

inline void TeamShadow::enter(Line& line, std::size_t slot) {
  line.slot = static_cast<std::uint32_t>(slot);
  fill(m_index[slot], line);
  if (m_segments) m_touched.push_back(&line);
}

Line& TeamShadow::line(std::uintptr_t address) {
  Line& line = line_for(address, 4);
  if (line.wide) narrow(line);
  return line;
}

Line& TeamShadow::line_for(std::uintptr_t address, std::uint32_t bytes) {
  std::uintptr_t const key = address / Line::bytes;
  std::size_t slot = slot_of(key);
  if (m_index[slot].key != 0) {
    Line& known = *m_index[slot].line;
    if (known.wide && bytes < 8) narrow(known);
    return known;
  }
  std::uintptr_t const begin = key * Line::bytes;
  bool const inside = begin - m_latest_begin < m_latest_bytes && m_latest->live;
  Allocation const* const a = inside ? m_latest : find_allocation(address);
  if (!inside) {
    bool const open = a != nullptr && a->live && !a->closed_to(m_context);
    if (!open || begin + Line::bytes <= a->data() || begin >= a->end()) return outside(key, a);
    m_latest = a;
    m_latest_begin = a->data();
    m_latest_bytes = std::max(a->end() - a->data(), Line::bytes - 1) - (Line::bytes - 1);
  }
  if (in_index() * 2 >= m_index.size()) {
    grow();
    slot = slot_of(key);
  }
  if (m_segments)
    if (auto const known = m_known.find(key); known != m_known.end()) {
      Line& line = *known->second;
      keep(line, true, true);
      if (line.wide && bytes < 8) narrow(line);
      enter(line, slot);
      return line;
    }
  Line& made = next_line();
  made.key = key;
  made.allocation = a;
  make(made, bytes >= 8);
  enter(made, slot);
  return made;
}

void TeamShadow::narrow(Line& line) {
  for (unsigned w = Line::words; w-- != 0;) {
    line.first[w] = line.first[w / 2];
    if ((line.first[w].write.who | line.first[w].read.who) & (who::several | who::many))
      line.second()[w] = line.second()[w / 2];
  }
  line.wide = 0;
  if (Entry& entry = m_index[line.slot]; entry.key == (line.key | wide)) fill(entry, line);
}

LineMore& TeamShadow::more_of(Line& line) {
  LineMore& more = line.more();
  if (!std::exchange(line.has_more, true)) {
    more.plain_write = more.plain_read = 0;
    more.earlier = 0;
  }
  return more;
}

void TeamShadow::begin_segment() {
  auto const leave = [&](Line& line) {
    m_index[line.slot].key = 0;
    m_known.try_emplace(line.key, &line);
  };
  if (!m_segments)
    for (std::size_t i = 0; i != m_used; ++i) leave((*this)[i]);
  for (Line* const line : m_touched) leave(*line);
  m_touched.clear();
  m_segments = true;
}

void TeamShadow::keep(Line& line, unsigned byte, unsigned bytes, Mark const& first, Mark const& second, bool writes) {
  auto const add = [&](Mark mark, bool of_second) {
    mark.who &= ~(who::several | who::many | (writes ? 0 : who::mixed));
    m_earlier.add(more_of(line).earlier, byte / 4,
                  {mark, static_cast<std::uint8_t>(byte % 4), static_cast<std::uint8_t>(bytes), writes}, of_second);
  };
  add(first, false);
  if (first.who & (who::several | who::many))
    add({second.site, second.who | (first.who & (who::redundant | who::result))}, true);
}

void TeamShadow::keep(Line& line, bool writes, bool reads) {
  bool const bytewise = line.per_byte != nullptr;
  unsigned const width = bytewise ? 1 : 4;
  for (unsigned i = 0; i != Line::bytes / width; ++i) {
    Cell const& first = bytewise ? line.per_byte->first[i] : line.word(i);
    Cell const& second = bytewise ? line.per_byte->second[i] : line.second_of_word(i);
    if (writes && who::touched(first.write.who)) keep(line, i * width, width, first.write, second.write, true);
    if (reads && who::touched(first.read.who)) keep(line, i * width, width, first.read, second.read, false);
  }
}

void TeamShadow::mark_earlier(Line const& line, unsigned word, Site site, Who flags) {
  m_earlier.for_each(earlier_of(line), word, [&](EarlierMark& m) {
    if (m.writes && m.mark.site == site) m.mark.who |= flags;
  });
}

void TeamShadow::keep_reads() {
  for (std::size_t i = 0; i != m_used; ++i) keep((*this)[i], false, true);
}

Line& TeamShadow::outside(std::uintptr_t key, Allocation const* allocation) {
  m_outside.key = key;
  m_outside.allocation = allocation;
  m_outside.per_byte = &poisoned_bytes();
  return m_outside;
}

void TeamShadow::make_by_words(Line& line, bool inside, bool may_be_wide) {
  std::uintptr_t const address = line.key * Line::bytes, begin = line.allocation->data(), end = line.allocation->end();
  std::uint64_t* const main = global_shadow::cell(address);
  bool const unseen = global_shadow::is_initialised_unseen(address);
  // By one launch before this one, most likely the latest: it wrote all, or nothing.
  std::uint64_t of_all = ~std::uint64_t{0}, of_any = 0;
  for (unsigned i = 0; i != Line::words; ++i) {
    std::uint64_t const word = std::atomic_ref(main[i]).load(std::memory_order_relaxed);
    of_all &= word;
    of_any |= word;
  }
  std::uint32_t const of_both = global_shadow::init_before(of_all, m_epoch);
  if (inside && !unseen && ((of_all ^ of_any) & 63) == 0 && of_both == global_shadow::init_before(of_any, m_epoch) &&
      (of_both == 0 || of_both == 15)) {
    std::fill_n(line.first, line.cells(), Cell{{Site{}, of_both == 15 ? who::before_launch : 0}, {Site{}, 0}});
    return;
  }
  line.wide = 0;
  std::uint32_t partial = 0;
  for (unsigned i = 0; i != Line::words; ++i) {
    std::uint32_t const init =
        unseen ? 15 : global_shadow::init_before(std::atomic_ref(main[i]).load(std::memory_order_relaxed), m_epoch);
    line.first[i] = Cell{{Site{}, init == 15 ? who::before_launch : 0}, {Site{}, 0}};
    partial |= init != 0 && init != 15;
  }
  if (inside && !partial) {
    // Words that nobody has written come in pairs, too, where they are halves of larger ones.
    bool pairs = may_be_wide;
    for (unsigned i = 0; i != Line::words; i += 2) pairs = pairs && line.first[i].write.who == line.first[i + 1].write.who;
    if (!pairs) return;
    for (unsigned i = 1; i != Line::words / 2; ++i) line.first[i] = line.first[2 * i];
    line.wide = 1;
    return;
  }

  // The rare line: an edge of an allocation, or words initialised in part. Keep it per byte.
  ByteLine& bytes = split(line);
  for (unsigned i = 0; i != Line::bytes; ++i) {
    std::uint32_t const init = unseen ? 15 : global_shadow::init_before(main[i / 4], m_epoch);
    bytes.first[i].write.who = init >> (i % 4) & 1 ? who::before_launch : 0;
    if (address + i < begin || address + i >= end)
      bytes.first[i].write.who = bytes.first[i].read.who = who::poison;
  }
  // Words that are whole again need no bytes: only views whose ends are no multiple of four do.
  bool mixed = false;
  for (unsigned w = 0; w != Line::words; ++w)
    for (unsigned b = 1; b != 4; ++b) mixed |= bytes.first[4 * w].write.who != bytes.first[4 * w + b].write.who;
  if (!mixed) {
    for (unsigned w = 0; w != Line::words; ++w) line.first[w] = bytes.first[4 * w];
    line.per_byte = nullptr;
    --m_byte_lines_used;
  }
}

void split_cells(Cell* word_first, Cell const* word_second, unsigned words, Cell* byte_first, Cell* byte_second) {
  for (unsigned w = 0; w != words; ++w) {
    std::fill_n(byte_first + 4 * w, 4, word_first[w]);
    std::fill_n(byte_second + 4 * w, 4, word_second[w]);
    word_first[w].write.who = word_first[w].read.who = who::bytewise;
  }
}

ByteLine& TeamShadow::split(Line& line) {
  if (line.per_byte) return *line.per_byte;
  if (line.wide) narrow(line);
  if (m_byte_lines_used == m_byte_lines.size()) m_byte_lines.push_back(std::make_unique<ByteLine>());
  line.per_byte = m_byte_lines[m_byte_lines_used++].get();
  split_cells(line.first, line.second(), Line::words, line.per_byte->first, line.per_byte->second);
  return *line.per_byte;
}

Mark& TeamShadow::keep_plain(Line& line, unsigned byte, bool writes, Mark const& mark) {
  LineMore& more = more_of(line);
  (writes ? more.plain_write : more.plain_read) |= std::uint64_t{line.per_byte ? 1u : 15u} << byte;
  return m_plain.try_emplace((line.key * Line::bytes + byte) * 2 + writes, mark).first->second;
}

Mark const* TeamShadow::kept_plain(Line const& line, unsigned byte, bool writes) const {
  if (!line.has_more || !((writes ? line.more().plain_write : line.more().plain_read) >> byte & 1)) return nullptr;
  std::uintptr_t const address = line.key * Line::bytes + byte;
  auto found = m_plain.find(address * 2 + writes);
  if (found == m_plain.end()) found = m_plain.find((address & ~std::uintptr_t{3}) * 2 + writes);  // when it was whole
  return found == m_plain.end() ? nullptr : &found->second;
}

bool TeamShadow::is_plain(FlatShadow const* flat) {
  auto const is_of_atomic = [&](Site site) { return flat != nullptr && flat->loads_for_update(site); };
  if (m_segments || !m_plain.empty()) return false;
  auto const are_plain = [&](Cell const* first, Cell const* second, unsigned cells) {
    for (unsigned i = 0; i != cells; ++i) {
      Cell const& cell = first[i];
      if (!((cell.write.who | cell.read.who) & who::atomic) || !who::touched(cell.read.who)) continue;
      if (!is_of_atomic(cell.read.site)) return false;
      if (cell.read.who & (who::several | who::many) && !is_of_atomic(second[i].read.site)) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i != m_used; ++i) {
    Line& line = (*this)[i];
    bool const by_bytes = line.per_byte != nullptr;
    if (!(by_bytes ? are_plain(line.per_byte->first, line.per_byte->second, Line::bytes)
                   : are_plain(line.first, line.second(), line.cells())))
      return false;
  }
  return true;
}

void TeamShadow::grow() {
  std::vector<Entry> larger(m_index.size() * 2);
  --m_shift;
  std::size_t const mask = larger.size() - 1;
  for (std::size_t i = 0; i != in_index(); ++i) {
    Line& line = m_segments ? *m_touched[i] : (*this)[i];
    std::size_t slot = hash(line.key, m_shift);
    while (larger[slot].key != 0) slot = (slot + 1) & mask;
    fill(larger[slot], line);
    line.slot = static_cast<std::uint32_t>(slot);
  }
  m_index.swap(larger);
}

std::size_t TeamShadow::bytes() const {
  return m_chunks.size() * sizeof(LineChunk) + m_byte_lines.size() * sizeof(ByteLine) + m_index.size() * sizeof(Entry);
}

void TeamShadow::reset(std::uint32_t epoch, std::uint32_t context) {
  for (std::size_t i = 0; i != in_index(); ++i) m_index[(m_segments ? *m_touched[i] : (*this)[i]).slot].key = 0;
  if (m_segments) {
    m_segments = false;
    m_touched.clear();
    m_known.clear();
  }
  m_earlier.clear();
  m_used = 0;
  m_byte_lines_used = 0;
  if (!m_plain.empty()) m_plain.clear();
  m_epoch = epoch;
  m_context = context;
  m_latest_bytes = 0;
  m_host_reaches = false;
}

}  // namespace teamsan
