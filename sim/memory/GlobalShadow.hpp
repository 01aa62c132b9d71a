// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of device, shared and pinned memory across teams and launches: 12 bytes for each four of data, and 4
/// more where teams took part in an order that atomics make (AtomicOrder.hpp), or in a league of more than 2^24 teams.
/// Only committed facts enter, in league order (TeamShadow.hpp is where a running team keeps its own), so this state
/// and every verdict from it are those of a run of the teams one after the other, on any number of workers.
///
/// Per word: whether its bytes were written before this launch (init), and of this launch the first team that wrote
/// or read it, with one writing and one reading access of it. More is not needed: a second team that conflicts with
/// the first is a race at once, and teams that only read never conflict. (Where atomics order teams, more is:
/// detect/SharedWords.hpp.) That later teams wrote to the first one's bytes is kept too, for uninit alone.
///
/// Lanes of a flat launch write here as they run (FlatWord.hpp). A launch has an even epoch, its flat words the odd one
/// behind it; of a launch that is over both say alike which bytes it wrote.
#pragma once

#include "../base/Arena.hpp"
#include "FlatWord.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace teamsan {

/// Unpacked form of a word's (or a byte's) state. Masks have a bit per byte of the word.
struct GlobalWord {
  std::uint32_t epoch = 0;   ///< launch, modulo 31, plus 1, times 2; 0: none
  std::uint32_t init = 0;    ///< bytes written before that launch
  std::uint64_t team = 0;    ///< first team of that launch to touch it
  std::uint32_t written = 0; ///< bytes that teams of that launch wrote, whichever did
  std::uint32_t read = 0;    ///< bytes that the first team read
  std::uint32_t write_lane = 0, write_site = 0;
  std::uint32_t read_lane = 0, read_site = 0;
  std::uint32_t write_tick = 0, read_tick = 0;  ///< 16 bits; only of a team that released or acquired something
  bool write_atomic = false, read_atomic = false;
  bool raced = false;        ///< teams of that launch conflicted on it
  bool split = false;        ///< the bytes belong to different teams: see split_word()
  bool others_wrote = false; ///< later teams wrote some of `written` too, racing or in an order that atomics made
  bool only_others_wrote = false;  ///< and the first one none of it

  /// Of `written`, what the first team wrote: all or none, since a word of which it wrote a part is split.
  std::uint32_t written_by_first() const { return only_others_wrote ? 0 : written; }
};

namespace global_shadow {

inline constexpr std::uint32_t max_site = (1u << 14) - 1;
inline constexpr std::uint32_t max_team = (1u << 24) - 1;  ///< that `main` has room for
inline constexpr std::uint32_t last_epoch = 62;

inline std::uint64_t* cell(std::uintptr_t address) {
  return reinterpret_cast<std::uint64_t*>(arena::global_cells) + ((address - arena::global) >> 2);
}
inline std::uint32_t* extra(std::uintptr_t address) {
  return reinterpret_cast<std::uint32_t*>(arena::global_extras) + ((address - arena::global) >> 2);
}

/// The same, of an address that is a multiple of 4: one instruction.
inline std::uint64_t* aligned_cell(std::uintptr_t address) {
  return reinterpret_cast<std::uint64_t*>(arena::global_cells - 2 * arena::global + 2 * address);
}
inline std::uint32_t* aligned_extra(std::uintptr_t address) {
  return reinterpret_cast<std::uint32_t*>(arena::global_extras - arena::global + address);
}

inline std::uint32_t* ticks(std::uintptr_t address) {
  return reinterpret_cast<std::uint32_t*>(arena::global_ticks) + ((address - arena::global) >> 2);
}
/// Of a word's extra.
inline bool is_split(std::uint32_t extra) { return extra >> 28 & 1; }
inline std::uint32_t pack_ticks(GlobalWord const& w) { return w.write_tick | w.read_tick << 16; }
/// In a wide league, of more than 2^24 teams, no ticks are kept: the upper part of the team's number lies there.
inline std::uint32_t upper_part(std::uint64_t team) { return static_cast<std::uint32_t>(team >> 24); }

// main: epoch 6 | init 4 | team 24 | written 4 | read 4 | write_lane 10 | write_site low 12
// extra: read_lane 10 | read_site 14 | write_site high 2 | write_atomic 1 | read_atomic 1 | split 1 | raced 1 |
//        others_wrote 1 | only_others_wrote 1
inline GlobalWord unpack(std::uint64_t main, std::uint32_t extra) {
  GlobalWord w;
  w.epoch = main & 63;
  w.init = main >> 6 & 15;
  w.team = main >> 10 & max_team;
  w.written = main >> 34 & 15;
  w.read = main >> 38 & 15;
  w.write_lane = main >> 42 & 1023;
  w.write_site = static_cast<std::uint32_t>(main >> 52) | (extra >> 24 & 3) << 12;
  w.read_lane = extra & 1023;
  w.read_site = extra >> 10 & max_site;
  w.write_atomic = extra >> 26 & 1;
  w.read_atomic = extra >> 27 & 1;
  w.split = extra >> 28 & 1;
  w.raced = extra >> 29 & 1;
  w.others_wrote = extra >> 30 & 1;
  w.only_others_wrote = extra >> 31;
  return w;
}
inline std::uint64_t pack_main(GlobalWord const& w) {
  return std::uint64_t{w.epoch} | std::uint64_t{w.init} << 6 | (w.team & max_team) << 10 |
         std::uint64_t{w.written} << 34 | std::uint64_t{w.read} << 38 | std::uint64_t{w.write_lane} << 42 |
         std::uint64_t{w.write_site & 0xfff} << 52;
}
inline std::uint32_t pack_extra(GlobalWord const& w) {
  return w.read_lane | w.read_site << 10 | (w.write_site >> 12) << 24 | std::uint32_t{w.write_atomic} << 26 |
         std::uint32_t{w.read_atomic} << 27 | std::uint32_t{w.split} << 28 |
         std::uint32_t{w.raced} << 29 | std::uint32_t{w.others_wrote} << 30 | std::uint32_t{w.only_others_wrote} << 31;
}

/// Host code writes shared and pinned memory in places that are not instrumented: it counts as initialised.
inline bool is_initialised_unseen(std::uintptr_t address) { return address >= arena::shared; }

inline GlobalWord load(std::uintptr_t address, bool wide_league) {
  GlobalWord w = unpack(*cell(address), *extra(address));
  if (wide_league) w.team |= std::uint64_t{*ticks(address)} << 24;
  return w;
}

/// Bytes of the word that were written before launch `epoch`, whatever this launch did to it.
/// Gives the same answer before and after a commit of `epoch`, so it may be asked while another team commits.
inline std::uint32_t init_before(std::uint64_t main, std::uint32_t epoch) {
  std::uint32_t const init = main >> 6 & 15;
  return ((main ^ epoch) & FlatWord::launch_mask) == 0 ? init : init | (main >> 34 & 15);
}

// Host threads may call these three while a launch runs on other memory.

/// Marks bytes as written by the host or by a copy.
void mark_initialised(std::uintptr_t address, std::size_t bytes);

/// A lane stored there: it counts as written once the launch has ended. What else the store comes to another run judges
/// (base/Shard.hpp), and this one has to know it where such memory is copied.
inline void mark_stored(std::uintptr_t address, std::size_t bytes) {
  if (is_initialised_unseen(address)) return;
  for (std::uintptr_t word = address & ~std::uintptr_t{3}; word < address + bytes; word += 4) {
    std::uintptr_t const begin = std::max(word, address), end = std::min(word + 4, address + bytes);
    std::uint64_t const stored = ((std::uint64_t{1} << (end - begin)) - 1) << (begin - word) << 6;
    if ((__atomic_load_n(cell(word), __ATOMIC_RELAXED) & stored) != stored)
      __atomic_fetch_or(cell(word), stored, __ATOMIC_RELAXED);
  }
}

/// Forgets all: fresh memory.
void reset(std::uintptr_t address, std::size_t bytes);

/// Nobody may touch the memory any more: what is known of it goes, and the pages it took.
void discard(std::uintptr_t address, std::size_t bytes);

/// Copies what is known of initialisation from one global range to another.
void copy_init(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);

/// Did a team of the latest launch touch any of these bytes' words?
bool touched_by_launch(std::uintptr_t address, std::size_t bytes);

/// The first of these bytes' words that lanes of the latest launch changed by atomics, and did nothing else to; 0: there is
/// none.
std::uintptr_t updated_by_launch(std::uintptr_t address, std::size_t bytes);

/// The first of these bytes' words that the latest launch read, and did nothing else to; 0: there is none.
std::uintptr_t read_by_launch(std::uintptr_t address, std::size_t bytes);

/// Turns to the next launch. Every 31st time, words touched since then are folded into `init`.
std::uint32_t next_epoch();

/// To be called for each 64-byte line that a commit changes, or a lane; by any worker. Once a launch does for all lines of a
/// part of so many bytes.
inline constexpr std::size_t dirty_part_bytes = 4 * 1024;
void mark_dirty(std::uintptr_t line_address);

/// The same for lines of one launch that mostly lie side by side.
class DirtyLines {
 public:
  void mark(std::uintptr_t line_address) {
    if (std::uintptr_t const part = line_address / dirty_part_bytes; part != m_latest) {
      m_latest = part;
      mark_dirty(line_address);
    }
  }

 private:
  std::uintptr_t m_latest = 0;  ///< of no device memory
};

/// State of the four bytes of a split word in this launch (each byte's masks are 0 or 1). Only the committing team
/// may ask. Cleared by next_epoch.
GlobalWord* split_word(std::uintptr_t word_address);
/// f(word) for all of them.
void for_each_split(std::function<void(std::uintptr_t)> const& f);

}  // namespace global_shadow
}  // namespace teamsan
