// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One access to a team's cells, whoever calls: the compiler's callbacks, a replay, checks in line. The inline part decides the
/// common cases: it finds the Cell and returns if the access is ordered with all earlier ones by the floor alone. All else,
/// first touches of a line among it, goes through checked_access. Who watches besides: Watched.hpp.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../machine/Ordering.hpp"
#include "../machine/OwnValue.hpp"
#include "../machine/Spinning.hpp"
#include "../machine/WarpLog.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/Hot.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

namespace teamsan {

/// The whole decision, for any range of bytes. `is_range`: of any alignment, as a copy touches them.
[[gnu::cold]] void checked_access(Access const& access, bool is_range);

/// A range of bytes, as a copied struct or memcpy touches it, by whomever.
void access_range(std::uintptr_t address, std::size_t bytes, AccessKind kind, Site site);

template <unsigned bytes, AccessKind kind>
[[gnu::noinline, gnu::cold]] void slow_access(std::uintptr_t address, Site site);

/// A read of a word that other lanes have read since the last barrier: a member joins the set of readers (Ordering.hpp).
/// False where some are atomic.
inline bool join_readers(Cell& cell, Cell& second, Who me, Site site) {
  Who const r = cell.read.who;
  if (r >= who::bytewise || (r & (who::atomic | who::mixed))) [[unlikely]] return false;
  Runner const runner{.me = me, .floor = 0, .thread_writes = 0, .thread_reads = 0, .other_thread = hot.other_thread};
  ordering::join_alike(cell.read, second.read, {site, me}, runner, hot.reads_before);
  return true;
}

/// True when the word is dealt with. Same lane and no flags, or before the last barrier: nothing to decide.
/// (0, never written, wraps around and is no "before the barrier".)
[[gnu::always_inline]] inline bool read_word(Cell& cell, Cell& second, Who me, Who floor, Site site) {
  Who const w = cell.write.who;
  Who const r = cell.read.who;
  if (w - 1 >= floor - 1 && (w == 0 || ((w ^ me) & (who::flags_mask | who::lane_mask)) != 0)) [[unlikely]]
    return false;
  if (r < floor || ((r ^ me) & (who::flags_mask | who::lane_mask)) == 0) {
    cell.read = {site, me};
    return true;
  }
  return join_readers(cell, second, me, site);
}

[[gnu::always_inline]] inline bool write_word(Cell& cell, Who me, Who floor, Site site) {
  Who const w = cell.write.who;
  Who const r = cell.read.who;
  if (w >= floor && ((w ^ me) & (who::flags_mask | who::lane_mask)) != 0) [[unlikely]] return false;
  if (r >= floor && ((r ^ me) & (who::flags_mask | who::lane_mask)) != 0) [[unlikely]] return false;
  cell.write = {site, me};
  return true;
}

[[gnu::always_inline]] inline bool find_cell_in_scratch(std::uintptr_t address, Cell*& cell) {
  std::uintptr_t const offset = address - hot.scratch_begin;
  if (offset >= hot.scratch_bytes) return false;
  cell = hot.scratch_cells + (offset >> 2);
  return true;
}
/// Where the line of an address in device memory is, if anywhere.
[[gnu::always_inline]] inline TeamShadow::Entry const& entry_of(std::uintptr_t key) {
  return hot.index[TeamShadow::hash(key, hot.index_shift)];
}
/// Its second, which lies at a fixed distance.
inline Cell* second_of(Cell* cell, std::uintptr_t address) {
  constexpr auto in_scratch = (arena::scratch_seconds - arena::scratch_cells) / sizeof(Cell);
  constexpr auto in_line = offsetof(LineChunk, more) / sizeof(Cell);
  static_assert(offsetof(LineChunk, more) % sizeof(Cell) == 0);
  return cell + (address - hot.scratch_begin < hot.scratch_bytes ? in_scratch : in_line);
}

/// The cases that need no other cell: words last written before the barrier that either many lanes have read since, or
/// none has. True when all words of the access are dealt with.
template <unsigned words>
[[gnu::always_inline]] inline bool read_quickly(Cell* cell, Site site) {
  Who const floor = hot.floor;
  Who latest_write = 0;
  for (unsigned i = 0; i != words; ++i) latest_write = std::max(latest_write, cell[i].write.who - 1);
  if (latest_write >= floor - 1) return false;
  Who latest = 0;
  for (unsigned i = 0; i != words; ++i) latest = std::max(latest, cell[i].read.who);
  if (latest < floor) {
    for (unsigned i = 0; i != words; ++i) cell[i].read = {site, hot.me};
    return true;
  }
  bool many = true;
  for (unsigned i = 0; i != words; ++i) {
    Who const r = cell[i].read.who;
    many = many && r >= floor && (r & (who::many | who::atomic | who::mixed)) == who::many;  // a poisoned word has all bits
  }
  return many;
}

/// All other reads. Called last: the callback needs no frame of its own.
template <unsigned bytes, unsigned cells>
[[gnu::noinline]] void read_fully(Cell* cell, std::uintptr_t address, Site site) {
  Who const me = hot.me, floor = hot.floor;
  if (cell->read.who == me && cell->write.who != 0) {
    if (--hot.slice < 0) [[unlikely]] return spinning(site, false);
    if constexpr (cells == 1) return;
  }
  Cell* const second = second_of(cell, address);
  bool done = true;
  for (unsigned i = 0; i != cells; ++i)
    done &= read_word(cell[i], second[i], me, floor, site);
  if (!done) [[unlikely]] return slow_access<bytes, AccessKind::read>(address, site);
}

/// Of several cells: more than fits the registers that a callback may change. Called last.
template <unsigned bytes, unsigned cells>
[[gnu::noinline]] void read_cells(Cell* cell, std::uintptr_t address, Site site) {
  if (!read_quickly<cells>(cell, site)) read_fully<bytes, cells>(cell, address, site);
}

/// An access that is not looked at. A lane that repeats one may be waiting for another lane. (Counting all of them would
/// cost more than checking them: each count waits for the one before.)
[[gnu::always_inline]] inline void pass_over(std::uintptr_t address) {
  if (hot.passed_over != address) [[likely]]
    hot.passed_over = address;
  else if (--hot.slice < 0 && hot.in_runtime == 0)
    take_a_break();
}

/// --shard: what the word says of it is told by another one.
template <unsigned bytes, AccessKind kind>
void pass_over_others(std::uintptr_t address) {
  if constexpr (is_write(kind)) global_shadow::mark_stored(address, bytes);
  pass_over(address);
}

/// The line, if it is in its first place in the index and in a form that such an access fits.
template <unsigned bytes>
[[gnu::always_inline]] inline Line* known_line(std::uintptr_t address) {
  std::uintptr_t const key = address / Line::bytes;
  TeamShadow::Entry const& entry = entry_of(key);
  return entry.key == key || (bytes >= 8 && entry.key == (key | TeamShadow::wide)) ? entry.line : nullptr;
}

template <unsigned cells, AccessKind kind>
[[gnu::always_inline]] inline bool access_cells(Line& line, unsigned at, Site site) {
  Cell *const cell = line.first + at, *const second = line.second() + at;
  bool done = true;
  for (unsigned i = 0; i != cells; ++i)
    done &= kind == AccessKind::read ? read_word(cell[i], second[i], hot.me, hot.floor, site)
                                     : write_word(cell[i], hot.me, hot.floor, site);
  return done;
}
/// An aligned access to a line that it fits. False: some words are to be looked at one by one.
template <unsigned bytes, AccessKind kind>
[[gnu::always_inline]] inline bool access_words(Line& line, std::uintptr_t address, Site site) {
  if constexpr (bytes >= 8)
    if (line.wide) return access_cells<bytes / 8, kind>(line, address / 8 % (Line::words / 2), site);
  return access_cells<bytes / 4, kind>(line, address / 4 % Line::words, site);
}

/// --shard: device memory always comes here. A block of this shard's is looked up as otherwise before the call.
template <unsigned bytes, AccessKind kind>
[[gnu::noinline]] void access_in_shard(std::uintptr_t address, Site site) {
  if (hot.counts())
    log_access(address, std::countr_zero(bytes), kind == AccessKind::read ? model::Operation::load : model::Operation::store,
               site);
  if (!shard.records(address)) return pass_over_others<bytes, kind>(address);
  if constexpr (bytes >= 4)
    if (address % bytes == 0 && hot.locks == 0) {
      Line* const line = known_line<bytes>(address);
      if (line != nullptr && access_words<bytes, kind>(*line, address, site)) return;
    }
  checked_access({address, bytes, kind, site}, false);
}

/// On the running lane's stack: nobody is told of it but vector lanes that differ from then on.
[[gnu::always_inline]] inline bool is_ignored(std::uintptr_t address, std::uint32_t bytes, AccessKind kind, Site site) {
  if (address - hot.ignore_begin >= hot.ignore_bytes) return false;
  if (kind == AccessKind::write && address >= hot.outer_frames) [[unlikely]] note_own_value(address, bytes, site);
  return true;
}

/// The team's line of this address, made if need be, for an access of so many bytes. Nothing: it is kept by bytes, or nobody
/// may touch it.
Line* line_of_words(std::uintptr_t address, std::uint32_t bytes);

/// The first access of a team to a line, or one to a line that is not in its first place in the index. False: the words are to
/// be looked at one by one.
template <unsigned bytes, AccessKind kind>
[[gnu::always_inline]] inline bool access_line(std::uintptr_t address, Site site) {
  if (known_line<bytes>(address) != nullptr) return false;  // that was tried
  Line* const line = line_of_words(address, bytes);
  if (line == nullptr) return false;
  Cell const& cell = line->word(address / 4 % Line::words);
  if (kind == AccessKind::read && cell.read.who == hot.me && cell.write.who != 0 && --hot.slice < 0) [[unlikely]] {
    spinning(site, false);
    return true;
  }
  return access_words<bytes, kind>(*line, address, site);
}

/// What slow_access leaves.
template <unsigned bytes, AccessKind kind>
[[gnu::noinline]] void slower_access(std::uintptr_t address, Site site) {
  bool const on_lane = hot.lane != nullptr && hot.in_runtime == 0;
  if (hot.scratch_cells == nullptr && on_lane && arena::contains(arena::scratch, arena::scratch_bytes, address))
    return pass_over(address);
  if (shard.on() && on_lane && address - arena::global < arena::global_bytes) {
    if (!hot.is_flat() || address - arena::device >= arena::device_bytes) return access_in_shard<bytes, kind>(address, site);
    if (!shard.records(address)) return pass_over_others<bytes, kind>(address);
  }
  if constexpr (bytes >= 4)
    if (on_lane && !hot.is_flat() && hot.locks == 0 && address % bytes == 0 &&
        address - arena::global < hot.global_bytes && access_line<bytes, kind>(address, site))
      return;
  checked_access({address, bytes, kind, site}, false);
}

/// An aligned access to device memory of which the team has no line at hand. Called last, as slow_access.
template <unsigned bytes, AccessKind kind>
[[gnu::noinline]] void first_access(std::uintptr_t address, Site site) {
  bool const usual = hot.lane != nullptr && hot.in_runtime == 0 && !shard.on() && !hot.is_flat();
  if (!usual || !access_line<bytes, kind>(address, site)) slow_access<bytes, kind>(address, site);
}

/// Called last: the callback needs no frame of its own, nor does this for the variables on a lane's stack, which are many.
template <unsigned bytes, AccessKind kind>
void slow_access(std::uintptr_t address, Site site) {
  if (is_ignored(address, bytes, kind, site)) return hot.ignore_begin == 0 ? pass_over(address) : void();
  if (kind == AccessKind::read && arena::contains(arena::constant, arena::constant_bytes, address)) return;
  slower_access<bytes, kind>(address, site);
}

/// Of an aligned access, whose first cell it is.
template <unsigned bytes, AccessKind kind, unsigned cells = bytes / 4>
[[gnu::always_inline]] inline void access_cell(Cell* cell, std::uintptr_t address, Site site) {
  if constexpr (kind == AccessKind::read && cells > 1) {
    return read_cells<bytes, cells>(cell, address, site);
  } else if constexpr (kind == AccessKind::read) {
    if (read_quickly<cells>(cell, site)) [[likely]] return;
    return read_fully<bytes, cells>(cell, address, site);
  } else {
    Who const me = hot.me, floor = hot.floor;
    bool done = true;
    for (unsigned i = 0; i != cells; ++i) done &= write_word(cell[i], me, floor, site);
    if (!done) [[unlikely]] slow_access<bytes, kind>(address, site);
  }
}

/// By nobody else than the checks.
struct TeamCells {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if constexpr (bytes >= 4)
      if (Cell* cell; address % bytes == 0) [[likely]] {
        if (find_cell_in_scratch(address, cell)) return access_cell<bytes, kind>(cell, address, site);
        // What nested functions use of those around them lies on a stack: half of the reads of many a kernel.
        if (kind == AccessKind::read && hot.ignore_begin != 0 && address - hot.ignore_begin < hot.ignore_bytes) return;
        if (address - arena::global < hot.global_bytes) return access_in_line<bytes, kind>(address, site);
        // The kernel's functor, as slow_access has it.
        if (kind == AccessKind::read && hot.ignore_begin != 0 && address - arena::constant < arena::constant_bytes) return;
      }
    slow_access<bytes, kind>(address, site);
  }
  /// The same where the address is known to be in device memory, which no scratch and no lane's stack is in.
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access_in_device(std::uintptr_t address, Site site) {
    if constexpr (bytes >= 4)
      if (address % bytes == 0 && address - arena::global < hot.global_bytes) [[likely]]
        return access_in_line<bytes, kind>(address, site);
    slow_access<bytes, kind>(address, site);
  }
  /// And where it is known to be in scratch, at that offset.
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access_in_scratch(std::uintptr_t address, std::uintptr_t offset, Site site) {
    if constexpr (bytes >= 4)
      if (address % bytes == 0) [[likely]] return access_cell<bytes, kind>(hot.scratch_cells + (offset >> 2), address, site);
    slow_access<bytes, kind>(address, site);
  }

 private:
  /// Aligned, in device memory.
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access_in_line(std::uintptr_t address, Site site) {
    std::uintptr_t const key = address / Line::bytes;
    TeamShadow::Entry const& entry = entry_of(key);
    if constexpr (bytes >= 8)
      if (entry.key == (key | TeamShadow::wide)) [[likely]]
        return access_cell<bytes, kind, bytes / 8>(&entry.line->first[address / 8 % (Line::words / 2)], address, site);
    if (entry.key == key) [[likely]]
      return access_cell<bytes, kind>(&entry.line->first[address / 4 % Line::words], address, site);
    first_access<bytes, kind>(address, site);
  }
};

}  // namespace teamsan
