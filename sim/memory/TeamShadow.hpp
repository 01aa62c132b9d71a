// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one running team has done to global memory: the private half of the shadow. Lines of 64 bytes, found through a
/// hash, hold the same Cells as scratch does. Nothing here is shared between workers, so the hot path needs no atomic
/// operation; when the team has ended, its lines are committed to the GlobalShadow in league order.
#pragma once

#include "../../traces/Site.hpp"
#include "Cell.hpp"
#include "EarlierMarks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace teamsan {

struct Allocation;

/// Cells of a line whose words were accessed in parts: one per byte.
struct ByteLine {
  Cell first[64];
  Cell second[64];
};

struct Line {
  static constexpr std::uintptr_t bytes = 64;
  static constexpr unsigned words = 16;

  Cell first[words];
  std::uintptr_t key;            ///< address / 64
  Allocation const* allocation;  ///< owner of the line's granule, or nullptr
  ByteLine* per_byte;            ///< set once an access covered part of a word
  std::uint32_t slot;            ///< in the index
  std::uint32_t earlier;         ///< the line's lists in EarlierMarks; 0: none were kept
  std::uint64_t plain_write;     ///< bytes with a plain write that an atomic mark has replaced since: kept_plain()
  std::uint64_t plain_read;
  Cell second[words];            ///< valid where first's flags say so
};

class FlatShadow;

class TeamShadow {
 public:
  struct Entry {
    std::uintptr_t key = 0;  ///< 0: free (no global address has key 0)
    Line* line = nullptr;
  };

  TeamShadow();

  static std::uintptr_t hash(std::uintptr_t key, unsigned shift) { return key * 0x9e3779b97f4a7c15u >> shift; }

  /// The line of this global address; made, with what was known before the launch, at first use. Of a line that no
  /// lane may touch nothing is kept: it is poisoned, and valid until the next call.
  Line& line(std::uintptr_t address);

  /// Splits a line into bytes (idempotent). Word cells are marked so that the hot path comes here.
  ByteLine& split(Line& line);

  /// An atomic mark replaces the one of a plain access to the line's bytes from `byte` on: within the team they are
  /// ordered, for other teams the plain one still counts. Of each word or byte one is kept, the first: this gives it.
  Mark& keep_plain(Line& line, unsigned byte, bool writes, Mark const& mark);

  /// What was kept so for that byte; nullptr: nothing.
  Mark const* kept_plain(Line const& line, unsigned byte, bool writes) const;

  /// The team has acquired what others released (AtomicOrder.hpp): what it does from here on is in another order with
  /// other teams than what it has done. Marks that are replaced from here on are kept as earlier ones.
  void begin_segment();
  /// The line of this address, or nothing, is all that was touched since the segment began.
  bool touched_only(std::uintptr_t address) const {
    return m_segments && (m_touched.empty() || (m_touched.size() == 1 && m_touched[0]->key == address / Line::bytes));
  }
  /// Keeps the marks of reads, which the team is about to forget.
  void keep_reads();
  /// Whole words alone were accessed, and by atomics alone or not at all by any. `flat`, if there is one, knows of
  /// reads that are part of an atomic.
  bool is_plain(FlatShadow const* flat);
  bool has_earlier() const { return !m_earlier.empty(); }
  bool has_earlier(Line const& line, unsigned word) const { return m_earlier.has_any(line.earlier, word); }
  /// f(mark), of that word of the line.
  template <class F>
  void for_each_earlier(Line const& line, unsigned word, F f) const {
    m_earlier.for_each(line.earlier, word, f);
  }
  /// Earlier marks of writes by that instruction turn out to be what several lanes did alike: they get those flags.
  void mark_earlier(Line const& line, unsigned word, Site site, Who flags);

  /// f(mark) for what is kept beside the lines' cells.
  template <class F>
  void for_each_kept(F f) {
    for (auto& [address, mark] : m_plain) f(mark);
    m_earlier.for_each([&](EarlierMark& earlier) { f(earlier.mark); });
  }
  /// More would have been kept if there were room: what then is missing may be in conflict with other teams'.
  bool lacks_earlier() const { return m_earlier.lacks_any(); }

  /// Ready for the next team of launch `epoch`, which runs in that context (Usm.hpp).
  void reset(std::uint32_t epoch, std::uint32_t context);

  /// Lines in the order of their first use.
  std::size_t size() const { return m_used; }
  Line& operator[](std::size_t i) { return m_chunks[i / chunk][i % chunk]; }
  /// What it takes in memory, and what of that the lines of the running team are.
  std::size_t bytes() const;
  std::size_t used_bytes() const { return m_used * sizeof(Line) + m_byte_lines_used * sizeof(ByteLine); }

  Entry* index() { return m_index.data(); }
  unsigned shift() const { return m_shift; }

 private:
  friend struct LaneTable;
  static constexpr std::size_t chunk = 64;
  Line& make(std::uintptr_t key, Allocation const& allocation);
  Line& outside(std::uintptr_t key, Allocation const* allocation);
  void grow();
  std::size_t in_index() const { return m_segments ? m_touched.size() : m_used; }
  void enter(Line& line, std::size_t slot);
  void keep(Line& line, bool writes, bool reads);
  void keep(Line& line, unsigned byte, unsigned bytes, Mark const& first, Mark const& second, bool writes);

  std::vector<Entry> m_index;
  unsigned m_shift;
  std::vector<std::unique_ptr<Line[]>> m_chunks;
  std::size_t m_used = 0;
  std::vector<std::unique_ptr<ByteLine>> m_byte_lines;
  std::size_t m_byte_lines_used = 0;
  std::unordered_map<std::uintptr_t, Mark> m_plain;  ///< by address * 2 + writes
  Line m_outside{};
  std::uint32_t m_epoch = 0;
  std::uint32_t m_context = 0;

  // Once a segment has begun, the index holds the lines touched in it alone.
  bool m_segments = false;
  std::vector<Line*> m_touched;
  std::unordered_map<std::uintptr_t, Line*> m_known;  ///< all that were touched before it
  EarlierMarks m_earlier;
};

/// Copies word state to bytes: what is known of a word holds for each of its bytes.
void split_cells(Cell* word_first, Cell const* word_second, unsigned words, Cell* byte_first, Cell* byte_second);

}  // namespace teamsan
