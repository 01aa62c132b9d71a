// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One access, as seen from the callbacks. The inline part decides the common cases: it finds the Cell and returns if
/// the access is ordered with all earlier ones by the floor alone. All else, first touches of a line among it, goes
/// through checked_access.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../machine/Ordering.hpp"
#include "../machine/OwnValue.hpp"
#include "../machine/Spinning.hpp"
#include "../machine/WarpLog.hpp"
#include "../memory/Hot.hpp"
#include "FlatAccess.hpp"
#include "../trace/TeamTrace.hpp"

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

/// Finds the Cell of an aligned access.
[[gnu::always_inline]] inline bool find_cell(std::uintptr_t address, Cell*& cell) {
  if (std::uintptr_t const offset = address - hot.scratch_begin; offset < hot.scratch_bytes) [[likely]] {
    cell = hot.scratch_cells + (offset >> 2);
    return true;
  }
  if (address - arena::global < hot.global_bytes) {
    std::uintptr_t const key = address / Line::bytes;
    TeamShadow::Entry const& entry = hot.index[TeamShadow::hash(key, hot.index_shift)];
    if (entry.key != key) [[unlikely]] return false;
    cell = &entry.line->first[address / 4 % Line::words];
    return true;
  }
  return false;
}
/// Its second, which lies at a fixed distance.
inline Cell* second_of(Cell* cell, std::uintptr_t address) {
  constexpr auto in_scratch = (arena::scratch_seconds - arena::scratch_cells) / sizeof(Cell);
  constexpr auto in_line = (offsetof(Line, second) - offsetof(Line, first)) / sizeof(Cell);
  static_assert((offsetof(Line, second) - offsetof(Line, first)) % sizeof(Cell) == 0);
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
template <unsigned bytes>
[[gnu::noinline]] void read_fully(Cell* cell, std::uintptr_t address, Site site) {
  Who const me = hot.me, floor = hot.floor;
  if (cell->read.who == me && cell->write.who != 0) {
    if (--hot.slice < 0) [[unlikely]] return spinning(site, false);
    if constexpr (bytes == 4) return;
  }
  Cell* const second = second_of(cell, address);
  bool done = true;
  for (unsigned i = 0; i != bytes / 4; ++i)
    done &= read_word(cell[i], second[i], me, floor, site);
  if (!done) [[unlikely]] return slow_access<bytes, AccessKind::read>(address, site);
}

/// An access that is not looked at. A lane that repeats one may be waiting for another lane. (Counting all of them would
/// cost more than checking them: each count waits for the one before.)
[[gnu::always_inline]] inline void pass_over(std::uintptr_t address) {
  if (hot.passed_over != address) [[likely]]
    hot.passed_over = address;
  else if (--hot.slice < 0 && hot.in_runtime == 0)
    take_a_break();
}

/// --shard: device memory always comes here. A block of this shard's is looked up as otherwise before the call.
template <unsigned bytes, AccessKind kind>
[[gnu::noinline]] void access_in_shard(std::uintptr_t address, Site site) {
  if (hot.counts())
    log_access(address, std::countr_zero(bytes), kind == AccessKind::read ? model::Operation::load : model::Operation::store,
               site);
  if (!shard.records(address)) return pass_over(address);
  if constexpr (bytes >= 4) {
    std::uintptr_t const key = address / Line::bytes;
    TeamShadow::Entry const& entry = hot.index[TeamShadow::hash(key, hot.index_shift)];
    if (address % bytes == 0 && entry.key == key) {
      Cell* const cell = &entry.line->first[address / 4 % Line::words];
      Cell* const second = &entry.line->second[address / 4 % Line::words];
      bool done = true;
      for (unsigned i = 0; i != bytes / 4; ++i)
        done &= kind == AccessKind::read ? read_word(cell[i], second[i], hot.me, hot.floor, site)
                                         : write_word(cell[i], hot.me, hot.floor, site);
      if (done) return;
    }
  }
  checked_access({address, bytes, kind, site}, false);
}

/// On the running lane's stack: nobody is told of it but vector lanes that differ from then on.
[[gnu::always_inline]] inline bool is_ignored(std::uintptr_t address, std::uint32_t bytes, AccessKind kind, Site site) {
  if (address - hot.ignore_begin >= hot.ignore_bytes) return false;
  if (kind == AccessKind::write && address >= hot.outer_frames) [[unlikely]] note_own_value(address, bytes, site);
  return true;
}

/// checked_access, called last: the callback needs no frame of its own. The scratch of teams that another shard checks
/// ends here at once.
template <unsigned bytes, AccessKind kind>
void slow_access(std::uintptr_t address, Site site) {
  if (is_ignored(address, bytes, kind, site)) return hot.ignore_begin == 0 ? pass_over(address) : void();
  bool const on_lane = hot.lane != nullptr && hot.in_runtime == 0;
  if (hot.scratch_cells == nullptr && on_lane && arena::contains(arena::scratch, arena::scratch_bytes, address))
    return pass_over(address);
  if (kind == AccessKind::read && arena::contains(arena::constant, arena::constant_bytes, address)) return;
  if (shard.on() && on_lane && address - arena::global < arena::global_bytes)
    return access_in_shard<bytes, kind>(address, site);
  checked_access({address, bytes, kind, site}, false);
}

template <unsigned bytes>
[[gnu::always_inline]] inline void check_read(std::uintptr_t address, Site site) {
  if constexpr (bytes >= 4) {
    Cell* cell;
    if (address % bytes == 0 && find_cell(address, cell)) [[likely]] {
      if (read_quickly<bytes / 4>(cell, site)) [[likely]] return;
      return read_fully<bytes>(cell, address, site);
    }
  }
  return slow_access<bytes, AccessKind::read>(address, site);
}

template <unsigned bytes>
[[gnu::always_inline]] inline void check_write(std::uintptr_t address, Site site) {
  if constexpr (bytes >= 4) {
    Cell* cell;
    if (address % bytes == 0 && find_cell(address, cell)) [[likely]] {
      Who const me = hot.me, floor = hot.floor;
      bool done = true;
      for (unsigned i = 0; i != bytes / 4; ++i) done &= write_word(cell[i], me, floor, site);
      if (done) [[likely]] return;
    }
  }
  return slow_access<bytes, AccessKind::write>(address, site);
}

/// The same while the machine model counts: the callbacks call this last. What the log has no place ready for goes the
/// long way, called last in turn, so that nothing here needs a frame.
template <unsigned bytes>
[[gnu::noinline]] void count_read_slowly(std::uintptr_t address, Site site) {
  log_access(address, std::countr_zero(bytes), model::Operation::load, site);
  check_read<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void count_write_slowly(std::uintptr_t address, Site site) {
  log_access(address, std::countr_zero(bytes), model::Operation::store, site);
  check_write<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void count_and_read(std::uintptr_t address, Site site) {
  if (std::uintptr_t const offset = address - hot.scratch_begin; offset < hot.scratch_bytes) [[likely]] {
    if (!log_plain(site, model::Operation::load, true, address))
      return count_read_slowly<bytes>(address, site);
    if constexpr (bytes >= 4) {
      if (address % bytes == 0) [[likely]] {
        Cell* const cell = hot.scratch_cells + (offset >> 2);
        if (read_quickly<bytes / 4>(cell, site)) [[likely]] return;
        return read_fully<bytes>(cell, address, site);
      }
    }
    return slow_access<bytes, AccessKind::read>(address, site);
  }
  if (address - arena::global >= hot.global_bytes) return slow_access<bytes, AccessKind::read>(address, site);
  if (!log_plain(site, model::Operation::load, false, address))
    return count_read_slowly<bytes>(address, site);
  check_read<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void count_and_write(std::uintptr_t address, Site site) {
  bool const scratch = address - hot.scratch_begin < hot.scratch_bytes;
  if (!scratch && address - arena::global >= hot.global_bytes)
    return slow_access<bytes, AccessKind::write>(address, site);
  if (!(scratch ? log_plain(site, model::Operation::store, true, address)
                : log_plain(site, model::Operation::store, false, address)))
    return count_write_slowly<bytes>(address, site);
  check_write<bytes>(address, site);
}

/// The same while a trace is written. An access that the team's script expects costs a compare and a store.
template <unsigned bytes>
[[gnu::noinline]] void trace_read_slowly(std::uintptr_t address, Site site) {
  trace::note_access(traces::event_key(traces::EventKind::read, site, std::countr_zero(bytes)), address);
  if (hot.watch == Watch::counted_and_recorded) return count_and_read<bytes>(address, site);
  check_read<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void trace_write_slowly(std::uintptr_t address, Site site) {
  trace::note_access(traces::event_key(traces::EventKind::write, site, std::countr_zero(bytes)), address);
  if (hot.watch == Watch::counted_and_recorded) return count_and_write<bytes>(address, site);
  check_write<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void trace_read(std::uintptr_t address, Site site) {
  std::uint64_t const key = traces::event_key(traces::EventKind::read, site, std::countr_zero(bytes));
  if (!traces::follow(hot.trace_next, key, address)) return trace_read_slowly<bytes>(address, site);
  if (hot.watch == Watch::counted_and_recorded) return count_and_read<bytes>(address, site);
  check_read<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void trace_write(std::uintptr_t address, Site site) {
  std::uint64_t const key = traces::event_key(traces::EventKind::write, site, std::countr_zero(bytes));
  if (!traces::follow(hot.trace_next, key, address)) return trace_write_slowly<bytes>(address, site);
  if (hot.watch == Watch::counted_and_recorded) return count_and_write<bytes>(address, site);
  check_write<bytes>(address, site);
}

/// Of a team that another shard checks, or recorded.
template <unsigned bytes, AccessKind kind>
[[gnu::noinline]] void uncommon_access(std::uintptr_t address, Site site) {
  if (address - hot.scratch_begin < hot.others_bytes) return pass_over(address);
  if (hot.watch == Watch::others) return slow_access<bytes, kind>(address, site);
  kind == AccessKind::read ? trace_read<bytes>(address, site) : trace_write<bytes>(address, site);
}

/// Behind the slow way, which has learnt what lies there: the instruction's next access comes there, too, mostly. Not left to
/// that one: by then another may have been elsewhere in the same stretch, where small allocations lie side by side.
template <unsigned bytes>
void aim_behind(std::uintptr_t address, Site site) {
  if constexpr (bytes >= 4) {
    if (hot.is_flat()) (void)flat::known_at<bytes>(address, site);
  }
}

/// What is not decided in line.
template <unsigned bytes>
[[gnu::noinline]] void flat_read_slowly(std::uintptr_t address, Site site) {
  if (address - arena::device >= arena::device_bytes) return check_read<bytes>(address, site);
  if constexpr (bytes >= 4) {
    if (address % bytes == 0 && flat::join_alike<bytes>(address, AccessKind::read, site)) return;
  }
  slow_access<bytes, AccessKind::read>(address, site);
  aim_behind<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void flat_write_slowly(std::uintptr_t address, Site site) {
  if (address - arena::device >= arena::device_bytes) return check_write<bytes>(address, site);
  slow_access<bytes, AccessKind::write>(address, site);
  aim_behind<bytes>(address, site);
}

/// A load by which an update begins (FlatShadow::note_load_of_update).
template <unsigned bytes>
[[gnu::noinline]] void flat_load_for_update(std::uintptr_t address, Site site) {
  if constexpr (bytes >= 4)
    if (flat::load_for_update_quickly<bytes>(address, site)) return;
  checked_access({address, bytes, AccessKind::atomic_write, site, true}, false);
}

template <unsigned bytes, bool shared>
[[gnu::always_inline]] inline void flat_read_at(FlatTable::Instruction const& at, std::uintptr_t address, Site site) {
  bool again = false;
  if (!flat::read_at<bytes, shared>(at, address, again)) [[unlikely]] return flat_read_slowly<bytes>(address, site);
  if (again && --hot.slice < 0) [[unlikely]] spinning(site, false);
}
template <unsigned bytes, bool shared>
[[gnu::always_inline]] inline void flat_write_at(FlatTable::Instruction const& at, std::uintptr_t address, Site site) {
  if (!flat::write_at<bytes, shared>(at, address)) [[unlikely]] flat_write_slowly<bytes>(address, site);
}

/// Among several workers, by an instruction that is aimed there.
template <unsigned bytes>
[[gnu::noinline]] void flat_read_unheld(std::uintptr_t address, Site site) {
  FlatTable::Instruction const& at = hot.flat_table->at(site);
  flat::holds(address) ? flat_read_at<bytes, false>(at, address, site) : flat_read_at<bytes, true>(at, address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void flat_write_unheld(std::uintptr_t address, Site site) {
  FlatTable::Instruction const& at = hot.flat_table->at(site);
  flat::holds(address) ? flat_write_at<bytes, false>(at, address, site) : flat_write_at<bytes, true>(at, address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void flat_read_shared(std::uintptr_t address, Site site) {
  if (FlatHolds::of(address) != hot.flat_mark) [[unlikely]] return flat_read_unheld<bytes>(address, site);
  flat_read_at<bytes, false>(hot.flat_table->at(site), address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void flat_write_shared(std::uintptr_t address, Site site) {
  if (FlatHolds::of(address) != hot.flat_mark) [[unlikely]] return flat_write_unheld<bytes>(address, site);
  flat_write_at<bytes, false>(hot.flat_table->at(site), address, site);
}

/// By an instruction that is not aimed there: the kernel object, the lane's stack, other device memory.
template <unsigned bytes>
[[gnu::noinline]] void flat_read_elsewhere(std::uintptr_t address, Site site) {
  if (address - arena::device >= arena::device_bytes) {
    if (address - arena::constant < arena::constant_bytes || address - hot.ignore_begin < hot.ignore_bytes) return;
    return flat_read_slowly<bytes>(address, site);
  }
  if (hot.flat_loads && hot.flat_shadow->loads_for_update(site)) [[unlikely]]
    return flat_load_for_update<bytes>(address, site);
  if constexpr (bytes >= 4)
    if (auto* const at = flat::known_at<bytes>(address, site); at != nullptr) [[likely]]
      return hot.flat_shared ? flat_read_shared<bytes>(address, site) : flat_read_at<bytes, false>(*at, address, site);
  flat_read_slowly<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void flat_write_elsewhere(std::uintptr_t address, Site site) {
  if (address - arena::device >= arena::device_bytes)
    return is_ignored(address, bytes, AccessKind::write, site) ? void() : flat_write_slowly<bytes>(address, site);
  if constexpr (bytes >= 4)
    if (auto* const at = flat::known_at<bytes>(address, site); at != nullptr) [[likely]]
      return hot.flat_shared ? flat_write_shared<bytes>(address, site) : flat_write_at<bytes, false>(*at, address, site);
  flat_write_slowly<bytes>(address, site);
}

/// An access of a flat launch's lane. Most are where their instruction is aimed, and that is device memory.
template <unsigned bytes>
[[gnu::always_inline]] inline void flat_read(std::uintptr_t address, Site site) {
  if constexpr (bytes >= 4) {
    if (FlatTable::Instruction const& at = hot.flat_table->at(site); at.covers<bytes>(address, site)) [[likely]]
      return hot.flat_shared ? flat_read_shared<bytes>(address, site) : flat_read_at<bytes, false>(at, address, site);
  }
  flat_read_elsewhere<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void flat_write(std::uintptr_t address, Site site) {
  if constexpr (bytes >= 4) {
    if (FlatTable::Instruction const& at = hot.flat_table->at(site); at.covers<bytes>(address, site)) [[likely]]
      return hot.flat_shared ? flat_write_shared<bytes>(address, site) : flat_write_at<bytes, false>(at, address, site);
  }
  flat_write_elsewhere<bytes>(address, site);
}
/// Apart from what needs more registers than a callback may change.
template <unsigned bytes>
[[gnu::noinline]] void flat_device_read(std::uintptr_t address, Site site) {
  flat_read<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::noinline]] void flat_device_write(std::uintptr_t address, Site site) {
  flat_write<bytes>(address, site);
}

/// The same while the machine model counts.
template <unsigned bytes, AccessKind kind>
[[gnu::noinline]] void count_flat_slowly(std::uintptr_t address, Site site) {
  constexpr bool reads = kind == AccessKind::read;
  log_access(address, std::countr_zero(bytes), reads ? model::Operation::load : model::Operation::store, site);
  reads ? flat_read<bytes>(address, site) : flat_write<bytes>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void count_flat_read(std::uintptr_t address, Site site) {
  if (address - arena::device < arena::device_bytes && log_plain(site, model::Operation::load, false, address)) [[likely]]
    return flat_device_read<bytes>(address, site);
  if (address - arena::constant < arena::constant_bytes || address - hot.ignore_begin < hot.ignore_bytes) return;
  return count_flat_slowly<bytes, AccessKind::read>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void count_flat_write(std::uintptr_t address, Site site) {
  if (address - arena::device < arena::device_bytes && log_plain(site, model::Operation::store, false, address)) [[likely]]
    return flat_device_write<bytes>(address, site);
  if (address - hot.ignore_begin < hot.ignore_bytes) return;
  return count_flat_slowly<bytes, AccessKind::write>(address, site);
}

/// Nothing is checked.
template <unsigned bytes>
void unchecked_read(std::uintptr_t address, Site) {
  pass_over(address);
}
template <unsigned bytes>
void unchecked_write(std::uintptr_t, Site) {}  // nobody waits by a store

template <unsigned bytes>
[[gnu::always_inline]] inline void on_read(void const* p, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (hot.watch != Watch::checked) [[unlikely]] return hot.handlers->read[std::countr_zero(bytes)](address, site);
  check_read<bytes>(address, site);
}

template <unsigned bytes>
[[gnu::always_inline]] inline void on_write(void* p, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (hot.watch != Watch::checked) [[unlikely]] return hot.handlers->write[std::countr_zero(bytes)](address, site);
  check_write<bytes>(address, site);
}

}  // namespace teamsan
