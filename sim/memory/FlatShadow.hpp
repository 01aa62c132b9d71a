// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What lanes of one flat launch share (FlatWord.hpp): the numbers of its instructions, which each worker remembers in a table
/// of its own (FlatTable.hpp), and the words of which more has to be known than a word of the shadow has room for: a table of
/// what WordAside.hpp is one of.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../base/PatientMutex.hpp"
#include "ByteWords.hpp"
#include "FlatWord.hpp"
#include "WordAside.hpp"
#include "WordSites.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace teamsan {

struct GlobalWord;

class FlatShadow {
 public:
  static constexpr std::size_t most_words = std::size_t{1} << 19;
  static constexpr std::size_t most_loads = 64;

  using Word = WordAside;
  using Mark = Word::Mark;
  using Accesses = Word::Accesses;
  using Deeds = Word::Deeds;
  using Unwritten = Word::Unwritten;
  using Writers = Word::Writers;
  using Late = Word::Late;

  FlatShadow() = default;
  FlatShadow(std::uint32_t epoch, std::uint32_t context, std::uint32_t team_size)
      : m_epoch(epoch), m_context(context), m_team_size(team_size) {}
  /// As new, for another launch: most leave nothing here, and need not make all of it anew.
  void renew(std::uint32_t epoch, std::uint32_t context, std::uint32_t team_size);

  std::uint32_t epoch() const { return m_epoch; }
  std::uint32_t context() const { return m_context; }
  std::uint32_t team_size() const { return m_team_size; }

  /// The first team was committed in the usual way, with these instructions by number: other lanes meet what it did.
  void begin(std::vector<Site> sites);
  bool has_first_team() const { return m_has_first_team; }
  /// Loads by which updates begin that the host makes of a load and compare-and-swap (places/AtomicCode.hpp): each is the
  /// update that a GPU has an instruction for, whether a swap follows or not. By any worker; others may ask meanwhile.
  void note_load_of_update(Site site);
  bool loads_for_update(Site site) const {
    auto const end = m_loads.begin() + static_cast<std::ptrdiff_t>(m_load_count.load(std::memory_order_acquire));
    return std::find(m_loads.begin(), end, site) != end;
  }
  bool has_loads_for_update() const { return m_load_count.load(std::memory_order_relaxed) != 0; }

  /// Its number; of those beyond the first 255 unknown_place: which of them has touched a word, WordSites knows.
  flat::Place place(Site site);
  Site site_of(flat::Place place);
  /// By their numbers.
  std::vector<Site> sites();
  /// The instruction of a word's first place, of its second one.
  Site first_site(std::uintptr_t address, FlatWord word) { return site(address, word, word.place(), false); }
  Site second_site(std::uintptr_t address, FlatWord word) { return site(address, word, word.second_place(), true); }

  enum class Outcome : std::uint8_t {
    fresh,        ///< joined; nobody has written the bytes
    by_others,    ///< joined; lanes of the launch have, and nobody before, nor this lane
    written,      ///< joined; somebody has before the launch, or this lane
    store_again,  ///< the same, and another lane of the team has stored to them, too
  };
  struct Touch {
    Outcome outcome;
    std::optional<std::uint32_t> updated_by = {};  ///< the first lane that updated the word by an atomic, as this one does
  };
  /// A lane accesses the word at this address, or (`whole` false) the byte, which it may touch, by the instruction of that
  /// number.
  /// `tick`: 0 up to the lane's first fence, or atomic that may order it.
  Touch touch(std::uintptr_t address, bool whole, AccessKind kind, Mark mark, flat::Place place, std::uint32_t tick = 0);
  /// So many lanes' ticks are numbered anew.
  void renew_ticks(std::uint32_t first_lane, std::uint32_t lanes, std::function<std::uint32_t(std::uint32_t)> const& renew);

  /// Where words of bytes lie.
  ByteWords const& bytes() const { return m_bytes; }

  /// The word is only read, or (`kind`) only updated by atomics, and so the lane does. False: that is to be said by `touch`.
  bool join_alike(std::uintptr_t address, AccessKind kind, Mark mark, flat::Place place);

  /// A lane has read such bytes.
  void note_unwritten(Unwritten&& read);
  /// One of the first team has, before any other begins: whether others write them is asked as of all others.
  void note_unwritten_by_first(Unwritten&& read);
  /// Of the byte there, by lanes below `lanes`.
  Writers writers(std::uintptr_t address, std::uint32_t lane, std::uint64_t lanes);
  /// A store_again has changed what was there.
  void note_change(std::uintptr_t address, std::uint32_t bytes);
  /// Lanes of one team, or of several, have updated the same word by this instruction.
  void note_shared(Site site, bool of_team);
  /// Instructions by which lanes of one team did, or of several.
  std::vector<Site> shared_atomics(bool of_team) const;

  /// The instructions by which the lane may have read the word there, and none if there may be others.
  std::vector<Site> readers(std::uintptr_t address, std::uint32_t lane);

  /// All that the launch knows of a word.
  Word known_of(std::uintptr_t word);
  /// f(address, word), by address. Other threads may go on meanwhile, and f may ask for other words.
  void for_each(std::function<void(std::uintptr_t, Word const&)> const& f) const;
  bool empty() const { return m_count.load(std::memory_order_relaxed) == 0; }
  /// There was no room for some words.
  bool lacks_words() const { return m_lacks_words.load(std::memory_order_relaxed); }
  /// Have lanes accessed anything behind a fence, or an atomic that may order it?
  bool has_late() const { return m_has_late.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) Part {
    mutable PatientMutex mutex;
    std::unordered_map<std::uintptr_t, Word> words;
  };
  static constexpr std::size_t parts = 64;

  /// Words of a line lie in one part.
  Part& part(std::uintptr_t word) { return m_parts[(word >> 6) * 0x9e3779b97f4a7c15u >> 58]; }
  /// May a word of the shadow say that this instruction came there? One without a number only once there is no room elsewhere.
  bool fits(flat::Place place);
  /// Which of WordSites' two is the first place's, or the second one's: whatever is joined in line, it stays where it is.
  static unsigned index(FlatWord word, bool second) { return word.is_written() == second; }
  Site site(std::uintptr_t address, FlatWord word, flat::Place place, bool second);
  /// A word's, or a byte's, own: where what is known of it lies. Of bytes, instructions without a number have none.
  struct Cell {
    std::uintptr_t address;
    std::uint64_t* main;
    std::uint32_t* extra;
    std::optional<std::uint64_t> init = {};  ///< of a byte: 15 if it was written before the launch, or 0
  };
  static Cell cell_of(std::uintptr_t word);
  Cell byte_cell(std::uintptr_t address, FlatWord word);
  /// The cell becomes that, by this instruction, whose place is the first one or the second one. False: another worker was
  /// there first.
  bool become(Cell const& cell, FlatWord before, FlatWord next, Site site, bool second);
  /// As the public one.
  bool join_alike(Cell const& cell, AccessKind kind, Mark mark, flat::Place place);
  /// The lane's access, if the cell has room for all that has to be known of it.
  std::optional<Touch> advance(Cell const& cell, AccessKind kind, Mark mark, flat::Place place);

  // FlatBytes.cpp
  /// The same of bytes of a word that is parted.
  std::optional<Touch> touch_bytes(std::uintptr_t word, FlatWord w, std::uint64_t bytes, AccessKind kind, Mark mark,
                                   flat::Place place);
  /// Each byte gets a word of its own. False: some have no room there.
  bool part_word(std::uintptr_t word, FlatWord w);
  /// The table knows from here on what they know. False: it has no room.
  bool put_together(Part& part, std::uintptr_t word);
  void unfold_bytes(Word& word, std::uintptr_t address, FlatWord main);
  /// What the first team left of a byte.
  std::optional<FlatWord> byte_of_team(GlobalWord const& word, unsigned byte, std::uint32_t& extra);
  void add_of_team(Deeds& deeds, GlobalWord const& word, std::uint32_t bytes);

  /// What a flat word, or one that the first team left, has to say.
  void unfold(Word& word, std::uintptr_t address, FlatWord main);
  void unfold(Deeds& deeds, Cell const& cell, FlatWord main);
  Outcome join(Part& part, std::uintptr_t address, bool whole, AccessKind kind, Mark mark, std::uint32_t tick);

  std::uint32_t m_epoch = 0, m_context = 0, m_team_size = 1;
  std::vector<Site> m_committed_sites;
  bool m_has_first_team = false;
  std::array<Site, most_loads> m_loads{};  ///< so many of them:
  std::atomic<std::size_t> m_load_count{0};
  std::array<Part, parts> m_parts;
  std::atomic<std::size_t> m_count{0};
  std::atomic<bool> m_lacks_words{false}, m_places_ran_out{false}, m_has_late{false};
  PatientMutex m_places_mutex;
  std::unordered_map<Site, flat::Place> m_places;
  std::vector<Site> m_sites;
  WordSites m_word_sites;
  ByteWords m_bytes;
  mutable PatientMutex m_shared_mutex;
  std::unordered_set<Site> m_shared[2];
  std::atomic<bool> m_has_shared{false};
};

}  // namespace teamsan
