// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team's scratch. Pieces are laid into the team's slot of the arena in the order in which they are first obtained,
/// with poisoned gaps between them; a piece keeps its device address modulo 256, so that modelled banks do not change.
/// What was obtained by an earlier team in the same slot is not part of this team's scratch.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Arena.hpp"
#include "../base/Lane.hpp"
#include "Cell.hpp"
#include "Shape.hpp"
#include "TeamShadow.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan {

/// A piece of scratch as one get_shmem handed it out.
struct ScratchPiece {
  std::uintptr_t begin;       ///< in the arena
  std::size_t bytes;
  std::size_t device_offset;  ///< from the start of the team's part of that level
  int level;
  bool per_thread;
  std::uint32_t thread;
  Site site;          ///< who obtained it first
  std::size_t alignment;      ///< that was asked for
};

/// A piece that was asked for and found no room in what the launch reserved: who asked got a null pointer.
struct RefusedScratch {
  ScratchRequest request;
  std::uint32_t lane;                   ///< that asked first
  Site site;
  std::vector<Site> callers;
};

class Scratch {
 public:
  static constexpr std::size_t gap = 128;
  static constexpr std::uint64_t first_word = 23;

  /// What a byte of scratch holds when it is obtained: words of 8 bytes that are small numbers, but not 0, so that a store
  /// which nobody saw is known by its value, and a loop that such a number bounds ends.
  static constexpr unsigned char first_value(std::uintptr_t address) { return address % 8 == 0 ? first_word : 0; }

  /// Starts over in that slot of the arena.
  void reset(std::uint32_t slot, bool touched = true);
  std::uint32_t slot() const { return static_cast<std::uint32_t>((m_begin - arena::scratch) / arena::scratch_slot_bytes); }

  /// The piece that starts at this device offset, made at first request. Its address is a multiple of `alignment` if
  /// the offset is.
  ScratchPiece const& obtain(int level, bool per_thread, std::uint32_t thread, std::size_t device_offset,
                             std::size_t bytes, std::size_t alignment, Site site);

  std::uintptr_t begin() const { return m_begin; }
  /// Bytes from begin() that this team's accesses are checked in: all pieces with their gaps.
  std::size_t extent() const { return m_next - m_begin; }
  Cell* cells() const { return cells_at(m_begin); }

  static Cell* cells_at(std::uintptr_t address) {
    return reinterpret_cast<Cell*>(arena::scratch_cells) + ((address - arena::scratch) >> 2);
  }
  static Cell* seconds_at(std::uintptr_t address) {
    return reinterpret_cast<Cell*>(arena::scratch_seconds) + ((address - arena::scratch) >> 2);
  }

  /// Bytes of a line of 64 that was accessed in parts of words, or nullptr.
  ByteLine* bytes_of(std::uintptr_t address);
  ByteLine& split(std::uintptr_t address);

  /// The piece that holds the address, or the nearest one below, or of what lies before all of them (is_before) the first;
  /// nullptr if there is none.
  ScratchPiece const* piece_near(std::uintptr_t address) const;
  std::vector<ScratchPiece> const& pieces() const { return m_pieces; }
  /// Before the team's first piece, by no more than an index below its start may lead.
  bool is_before(std::uintptr_t address) const {
    return !m_pieces.empty() && m_pieces.front().begin - address - 1 < arena::scratch_front_bytes;
  }

  /// Is that request known to have been refused there?
  bool has_refused(ScratchRequest const& request, Site site) const;
  void refuse(RefusedScratch refused) { m_refused.push_back(std::move(refused)); }
  /// The first request by whose null pointer that address could have been reached, or nullptr.
  RefusedScratch const* refused_at(std::uintptr_t address) const;

  /// What the program calls a View in scratch. The first name that a piece is given stays.
  struct Name {
    std::uintptr_t address;  ///< of the View's data
    std::string name;
    Shape shape;
  };
  void name(std::uintptr_t address, std::string_view name, Shape const& shape);
  Name const* name_of(ScratchPiece const& piece) const;

 private:
  friend struct LaneTable;
  void fill(std::uintptr_t address, std::size_t bytes, Who value);
  /// Bytes that no lane has written.
  void make_new(std::uintptr_t address, std::size_t bytes);

  bool m_touched = true;
  std::uintptr_t m_begin = arena::scratch;
  std::uintptr_t m_next = arena::scratch;
  std::vector<ScratchPiece> m_pieces;
  std::vector<Name> m_names;
  std::vector<RefusedScratch> m_refused;
  std::unordered_map<std::size_t, std::size_t> m_by_offset;
  std::unordered_map<std::uintptr_t, std::unique_ptr<ByteLine>> m_bytes;
};

}  // namespace teamsan
