/// One access, as seen from the callbacks. The inline part decides the common cases: it finds the Cell and returns if
/// the access is ordered with all earlier ones by the floor alone. All else, first touches of a line among it, goes
/// through checked_access.
#pragma once

#include <teamsan/sim/report/Finding.hpp>
#include <teamsan/sim/runtime/Hot.hpp>

#include <cstdint>

namespace teamsan {

struct Access {
  std::uintptr_t address;
  std::uint32_t bytes;
  AccessKind kind;
  std::uintptr_t pc;
  bool is_write() const { return kind == AccessKind::write || kind == AccessKind::atomic_write; }
  bool is_atomic() const { return kind == AccessKind::atomic_read || kind == AccessKind::atomic_write; }
};

/// The whole decision, for an access of up to 64 bytes that does not cross a line of 64, or any range.
/// `is_range`: bytes of any alignment, as a copy touches them.
[[gnu::cold]] void checked_access(Access const& access, bool is_range);

/// The access repeats the running lane's last one on this word: it may be waiting.
[[gnu::cold]] void spinning(std::uintptr_t pc, bool atomic);

inline bool find_cell(std::uintptr_t address, Cell*& cell) {
  if (std::uintptr_t const offset = address - hot.scratch_begin; offset < hot.scratch_bytes) {
    cell = hot.scratch_cells + (offset >> 2);
    return true;
  }
  if (address - arena::global < hot.global_bytes) {
    std::uintptr_t const key = address / Line::bytes;
    TeamShadow::Entry const& entry = hot.index[TeamShadow::hash(key, hot.index_shift)];
    if (entry.key != key) return false;
    cell = &entry.line->first[address / 4 % Line::words];
    return true;
  }
  return false;
}

/// True when the word is dealt with.
inline bool read_word(Cell& cell, Who me, Who floor, std::uint32_t pc) {
  Who const w = cell.write.who;
  Who const r = cell.read.who;
  // Written, and before the last barrier (0 wraps around: never written); or by this lane alone.
  if (w - 1 >= floor - 1 && ((w ^ me) & (who::flags_mask | who::lane_mask)) != 0) [[unlikely]] return false;
  if (w == 0) [[unlikely]] return false;
  if (r < floor || ((r ^ me) & (who::flags_mask | who::lane_mask)) == 0)
    cell.read = {pc, me};
  else if (!(r & who::many) || r >= who::bytewise) [[unlikely]]
    return false;
  return true;
}

inline bool write_word(Cell& cell, Who me, Who floor, std::uint32_t pc) {
  Who const w = cell.write.who;
  Who const r = cell.read.who;
  if (w >= floor && ((w ^ me) & (who::flags_mask | who::lane_mask)) != 0) [[unlikely]] return false;
  if (r >= floor && ((r ^ me) & (who::flags_mask | who::lane_mask)) != 0) [[unlikely]] return false;
  cell.write = {pc, me};
  return true;
}

template <unsigned bytes>
[[gnu::always_inline]] inline void on_read(void const* p, std::uintptr_t pc) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if constexpr (bytes >= 4) {
    Cell* cell;
    if (address % bytes == 0 && find_cell(address, cell)) [[likely]] {
      Who const me = hot.me, floor = hot.floor;
      if (cell->read.who == me && cell->write.who != 0) [[unlikely]] {
        if (--hot.slice < 0) spinning(pc, false);
        if (bytes == 4) return;
      }
      bool done = true;
      for (unsigned i = 0; i != bytes / 4; ++i) done &= read_word(cell[i], me, floor, static_cast<std::uint32_t>(pc));
      if (done) [[likely]] return;
    } else if (address - hot.ignore_begin < hot.ignore_bytes) {
      return;
    }
  } else if (address - hot.ignore_begin < hot.ignore_bytes) {
    return;
  }
  checked_access({address, bytes, AccessKind::read, pc}, false);
}

template <unsigned bytes>
[[gnu::always_inline]] inline void on_write(void* p, std::uintptr_t pc) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if constexpr (bytes >= 4) {
    Cell* cell;
    if (address % bytes == 0 && find_cell(address, cell)) [[likely]] {
      Who const me = hot.me, floor = hot.floor;
      bool done = true;
      for (unsigned i = 0; i != bytes / 4; ++i) done &= write_word(cell[i], me, floor, static_cast<std::uint32_t>(pc));
      if (done) [[likely]] return;
    } else if (address - hot.ignore_begin < hot.ignore_bytes) {
      return;
    }
  } else if (address - hot.ignore_begin < hot.ignore_bytes) {
    return;
  }
  checked_access({address, bytes, AccessKind::write, pc}, false);
}

}  // namespace teamsan
