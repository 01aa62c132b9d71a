// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of which the bytes are known apart (ByteWords.hpp).
#include "FlatShadow.hpp"
#include "GlobalShadow.hpp"

#include <memory>
#include <utility>

namespace teamsan {

namespace {

/// Nobody finds room there any more: whoever comes asks for the word's lock.
FlatWord taken_away(std::uint64_t& cell, std::uint32_t epoch) {
  std::atomic_ref const main(cell);
  for (FlatWord w(main.load(std::memory_order_acquire));; w = FlatWord(main.load(std::memory_order_acquire))) {
    if (w.is_of_launch(epoch) && w.is_busy()) continue;
    std::uint64_t expected = w.bits();
    if (main.compare_exchange_strong(expected, FlatWord(0).set_aside(epoch).bits(), std::memory_order_acq_rel)) return w;
  }
}

}  // namespace

FlatShadow::Cell FlatShadow::byte_cell(std::uintptr_t address, FlatWord word) {
  auto const [main, extra] = m_bytes.of(address);
  return {address, main, extra, (word.init() >> address % 4 & 1) != 0 ? 15 : 0};
}

std::optional<FlatShadow::Touch> FlatShadow::touch_bytes(std::uintptr_t at, FlatWord w, std::uint64_t bytes, AccessKind kind,
                                                         Mark mark, flat::Place place) {
  if (kind == AccessKind::atomic_read || (kind == AccessKind::atomic_write && bytes == 15)) return {};
  FlatWord const mine = FlatWord::of_lane(m_epoch, mark.lane);
  for (unsigned b = 0; b != 4 && kind != AccessKind::write; ++b) {  // or some would be joined, and others tell that it was
    bool const unwritten = ((bytes & ~w.init()) >> b & 1) != 0;
    if (unwritten && FlatWord(std::atomic_ref(*m_bytes.of(at + b).main).load()).is_untouched(mine)) return {};
  }
  std::optional<Touch> touched;
  for (unsigned b = 0; b != 4; ++b) {
    if ((bytes >> b & 1) == 0) continue;
    std::optional<Touch> const of_byte = advance(byte_cell(at + b, w), kind, mark, place);
    if (!of_byte) return {};
    if (!touched) touched = of_byte;
  }
  FlatWord const noted = FlatWord(0).with_written(is_write(kind) ? bytes : 0);
  std::atomic_ref(*global_shadow::cell(at))
      .fetch_or((is_atomic(kind) ? noted : noted.used_plainly()).bits(), std::memory_order_relaxed);
  return touched;
}

std::optional<FlatWord> FlatShadow::byte_of_team(GlobalWord const& g, unsigned byte, std::uint32_t& extra) {
  Deeds deeds;
  add_of_team(deeds, g, 1u << byte);
  auto const place_bits = [&](Mark mark) { return FlatWord::place_bits_of(place(mark.site)); };
  auto const &read = deeds[AccessKind::read], &write = deeds[AccessKind::write], &update = deeds[AccessKind::atomic_write];
  if (deeds[AccessKind::atomic_read].first || (update.first && (read.first || write.first))) return {};
  Mark const first = update.first ? update.first : write.first ? write.first : read.first;
  if (!first) return FlatWord(0);
  FlatWord const lane = FlatWord::of_lane(m_epoch, first.lane);
  FlatWord const result = update.first  ? FlatWord::first_update(lane, place_bits(first))
                          : write.first ? FlatWord(0).first_write(lane, place_bits(first))
                                        : FlatWord::first_read(lane, place_bits(first));
  if (result.place() == flat::unknown_place) return {};
  if (Mark const second = update.second; second) {
    extra = second.lane;
    FlatWord const both = result.second_lane(place_bits(second));
    return both.second_place() != flat::unknown_place ? std::optional(both) : std::nullopt;
  }
  if (!write.first || !read.first) return result;
  FlatWord const both = result.own_read(place_bits(read.first));
  if (read.first.lane != write.first.lane || both.second_place() == flat::unknown_place) return {};
  return both;
}

bool FlatShadow::part_word(std::uintptr_t at, FlatWord w) {
  std::array<FlatWord, 4> bytes{FlatWord(0), FlatWord(0), FlatWord(0), FlatWord(0)};
  std::array<std::uint32_t, 4> extras{};
  bool const untouched = w.is_untouched(FlatWord::of_lane(m_epoch, 0));
  std::uint32_t const extra = std::atomic_ref(*global_shadow::extra(at)).load(std::memory_order_relaxed);
  if (!untouched && w.is_flat()) {
    bool const two = w.is_of_many() || (w.is_written() && w.is_read());
    if (w.place() == flat::unknown_place || (two && w.second_place() == flat::unknown_place)) return false;
    bytes.fill(w);
    extras.fill(extra);
  } else if (!untouched) {
    GlobalWord const g = global_shadow::unpack(w.bits(), extra);
    for (unsigned b = 0; b != 4; ++b) {
      auto const byte = g.split ? byte_of_team(global_shadow::split_word(at)[b], 0, extras[b]) : byte_of_team(g, b, extras[b]);
      if (!byte) return false;
      bool const needs_init = byte->is_updated() || !byte->is_written();
      if (needs_init && byte->bits() != 0 && (w.init() >> b & 1) == 0) return false;
      bytes[b] = *byte;
    }
  }
  auto const [main, second] = m_bytes.of(at);
  for (unsigned b = 0; b != 4; ++b) {
    std::atomic_ref(main[b]).store(bytes[b].bits(), std::memory_order_relaxed);
    std::atomic_ref(second[b]).store(extras[b], std::memory_order_relaxed);
  }
  bool plainly = false;
  for (FlatWord const byte : bytes) plainly = plainly || (byte.bits() != 0 && !byte.is_updated());
  FlatWord const next = untouched ? w.parted_untouched(m_epoch) : w.parted(m_epoch);
  std::uint64_t expected = w.bits();
  std::atomic_ref(*global_shadow::cell(at))
      .compare_exchange_strong(expected, (plainly ? next.used_plainly() : next).bits(), std::memory_order_acq_rel);
  return true;  // if not, it is another one by now
}

void FlatShadow::unfold_bytes(Word& word, std::uintptr_t address, FlatWord main) {
  word.parts = std::make_unique<std::array<Deeds, 4>>();
  for (unsigned b = 0; b != 4; ++b) {
    Cell const cell = byte_cell(address + b, main);
    FlatWord w(0);
    do w = FlatWord(std::atomic_ref(*cell.main).load(std::memory_order_acquire));
    while (w.is_of_launch(m_epoch) && w.is_busy());
    if (w.is_of_launch(m_epoch) && !w.is_aside()) unfold((*word.parts)[b], cell, w);
  }
}

bool FlatShadow::put_together(Part& part, std::uintptr_t at) {
  if (m_count.load(std::memory_order_relaxed) >= most_words) {
    m_lacks_words = true;
    return false;
  }
  Word& word = part.words[at];
  ++m_count;
  word.parts = std::make_unique<std::array<Deeds, 4>>();
  for (unsigned b = 0; b != 4; ++b) {
    auto const [main, extra] = m_bytes.of(at + b);
    FlatWord const w = taken_away(*main, m_epoch);
    if (w.is_of_launch(m_epoch)) unfold((*word.parts)[b], {at + b, main, extra}, w);
  }
  std::atomic_ref const main(*global_shadow::cell(at));
  for (std::uint64_t now = main.load(); !main.compare_exchange_weak(now, FlatWord(now).put_together().bits());) continue;
  return true;
}

void FlatShadow::begin(std::vector<Site> sites) {
  m_committed_sites = std::move(sites);
  m_has_first_team = true;
  // Where the first team's bytes belong to several lanes, no lane of another team need ask for what was committed.
  global_shadow::for_each_split([&](std::uintptr_t at) {
    FlatWord const w(*global_shadow::cell(at));
    if (at - arena::device >= arena::device_bytes || part_word(at, w)) return;
    if (m_count.load(std::memory_order_relaxed) >= most_words) {
      m_lacks_words = true;
      return;
    }
    unfold(part(at).words[at], at, w);
    ++m_count;
    *global_shadow::cell(at) = w.set_aside(m_epoch).bits();
  });
}

}  // namespace teamsan
