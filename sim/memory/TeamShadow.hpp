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

struct LineMore;

/// A wide line is one whose accesses so far were all of 8 or 16 bytes: a Cell stands for two words, which are alike.
struct Line {
  static constexpr std::uintptr_t bytes = 64;
  static constexpr unsigned words = 16;

  std::uintptr_t key;            ///< address / 64
  Allocation const* allocation;  ///< owner of the line's granule, or nullptr
  ByteLine* per_byte;            ///< set once an access covered part of a word
  std::uint32_t slot;            ///< in the index
  std::uint8_t wide;             ///< 1: it is, and the first half of the cells is all there is
  bool has_more;                 ///< what LineMore keeps besides cells is there
  Cell first[words];

  unsigned cells() const { return words >> wide; }
  Cell const& word(unsigned w) const { return first[w >> wide]; }
  LineMore& more();
  LineMore const& more() const { return const_cast<Line*>(this)->more(); }
  /// Valid where first's flags say so.
  Cell* second();
  Cell const& second_of_word(unsigned w) const;
};

/// What most lines have no need of: it lies apart, and takes neither room in the caches nor memory until it is used.
struct LineMore {
  std::uint64_t plain_write;  ///< bytes with a plain write that an atomic mark has replaced since: kept_plain()
  std::uint64_t plain_read;
  std::uint32_t earlier;      ///< the line's lists in EarlierMarks; 0: none were kept
  std::uint32_t unused[3];
  Cell second[Line::words];
};

/// A cell of the one and its second in the other are as far apart as all others.
struct LineChunk {
  static constexpr std::size_t lines = 64;
  Line first[lines];
  LineMore more[lines];
};
static_assert(sizeof(Line) == sizeof(LineMore) && offsetof(Line, first) == offsetof(LineMore, second));

inline LineMore& Line::more() {
  return *reinterpret_cast<LineMore*>(reinterpret_cast<char*>(this) + offsetof(LineChunk, more));
}
inline Cell* Line::second() { return more().second; }
inline Cell const& Line::second_of_word(unsigned w) const { return more().second[w >> wide]; }

class FlatShadow;

class TeamShadow {
 public:
  struct Entry {
    std::uintptr_t key = 0;  ///< 0: free (no global address has key 0); of a wide line with that bit set
    Line* line = nullptr;
  };
  static constexpr std::uintptr_t wide = std::uintptr_t{1} << 63;

  TeamShadow();

  static constexpr std::uintptr_t hash(std::uintptr_t key, unsigned shift) { return key * 0x9e3779b97f4a7c15u >> shift; }

  /// The line of this global address; made, with what was known before the launch, at first use. Of a line that no
  /// lane may touch nothing is kept: it is poisoned, and valid until the next call. By words, or bytes, from now on.
  Line& line(std::uintptr_t address);
  /// The same for an aligned access of so many bytes: the line may be wide, if those are 8 or 16.
  Line& line_for(std::uintptr_t address, std::uint32_t bytes);

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
  /// Each word or byte was accessed by atomics alone or not at all by any. `flat`, if there is one, knows of
  /// reads that are part of an atomic.
  bool is_plain(FlatShadow const* flat);
  bool has_earlier() const { return !m_earlier.empty(); }
  bool has_earlier(Line const& line, unsigned word) const { return m_earlier.has_any(earlier_of(line), word); }
  /// f(mark), of that word of the line.
  template <class F>
  void for_each_earlier(Line const& line, unsigned word, F f) const {
    m_earlier.for_each(earlier_of(line), word, f);
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

  /// Some lines are of memory that the host reaches.
  bool host_reaches() const { return m_host_reaches; }

  /// Lines in the order of their first use.
  std::size_t size() const { return m_used; }
  Line& operator[](std::size_t i) { return m_chunks[i / LineChunk::lines]->first[i % LineChunk::lines]; }
  /// What it takes in memory, and what of that the lines of the running team are.
  std::size_t bytes() const;
  std::size_t used_bytes() const { return m_used * sizeof(Line) + m_byte_lines_used * sizeof(ByteLine); }

  Entry* index() { return m_index.data(); }
  unsigned shift() const { return m_shift; }

 private:
  friend struct LaneTable;
  Line& next_line();
  /// What was known of it before the launch.
  void make(Line& line, bool may_be_wide);
  [[gnu::cold]] void make_by_words(Line& line, bool inside, bool may_be_wide);
  /// Two cells for each of a wide line's.
  void narrow(Line& line);
  /// Where the key's entry is, or is to be.
  std::size_t slot_of(std::uintptr_t key) const;
  void fill(Entry& entry, Line& line) { entry = {line.key | (line.wide ? wide : 0), &line}; }
  static LineMore& more_of(Line& line);
  static std::uint32_t earlier_of(Line const& line) { return line.has_more ? line.more().earlier : 0; }
  Line& outside(std::uintptr_t key, Allocation const* allocation);
  void grow();
  std::size_t in_index() const { return m_segments ? m_touched.size() : m_used; }
  void enter(Line& line, std::size_t slot);
  void keep(Line& line, bool writes, bool reads);
  void keep(Line& line, unsigned byte, unsigned bytes, Mark const& first, Mark const& second, bool writes);

  std::vector<Entry> m_index;
  unsigned m_shift;
  std::vector<std::unique_ptr<LineChunk>> m_chunks;
  std::size_t m_used = 0;
  std::vector<std::unique_ptr<ByteLine>> m_byte_lines;
  std::size_t m_byte_lines_used = 0;
  std::unordered_map<std::uintptr_t, Mark> m_plain;  ///< by address * 2 + writes
  Line m_outside{};
  std::uint32_t m_epoch = 0;
  std::uint32_t m_context = 0;
  bool m_host_reaches = false;
  // The allocation that the latest new line is of: lines that begin in this part are its alone.
  Allocation const* m_latest = nullptr;
  std::uintptr_t m_latest_begin = 0, m_latest_bytes = 0;

  // Once a segment has begun, the index holds the lines touched in it alone.
  bool m_segments = false;
  std::vector<Line*> m_touched;
  std::unordered_map<std::uintptr_t, Line*> m_known;  ///< all that were touched before it
  EarlierMarks m_earlier;
};

/// Copies word state to bytes: what is known of a word holds for each of its bytes.
void split_cells(Cell* word_first, Cell const* word_second, unsigned words, Cell* byte_first, Cell* byte_second);

}  // namespace teamsan
