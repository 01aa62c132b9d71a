// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a word of which a flat launch has to know more than eight bytes of the global shadow say (FlatWord.hpp):
/// one that races, or an odd one, read without having been written, accessed in parts, by atomics. It is a join of single
/// accesses that does not hang on their order; in the table of FlatShadow, which locks it.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace teamsan {

struct WordAside {
  static constexpr std::size_t most_reads = 32;
  static constexpr std::size_t most_late = 64;

  /// A lane of the launch, counted through the league, and its instruction.
  struct Mark {
    std::uint32_t lane = std::numeric_limits<std::uint32_t>::max();
    Site site{};
    explicit operator bool() const { return lane != std::numeric_limits<std::uint32_t>::max(); }
  };
  /// The first two lanes that made accesses of one kind.
  struct Accesses {
    Mark first, second;
    bool several_teams = false;  ///< lanes of different teams did
    bool more = false;           ///< than two lanes, maybe
    void add(Mark mark, std::uint32_t team_size);
  };
  /// Of a word, or a byte of one.
  struct Deeds {
    std::array<Accesses, 4> of;  ///< by AccessKind, from `read`
    bool values_differ = false;  ///< of lanes of one team that stored to it, some stored what was not there yet
    Accesses& operator[](AccessKind kind) { return of[static_cast<std::size_t>(kind) - 1]; }
    Accesses const& operator[](AccessKind kind) const { return of[static_cast<std::size_t>(kind) - 1]; }
  };
  /// A read of bytes that nothing had written before the launch, nor the lane itself.
  struct Unwritten {
    Mark mark;
    Site told{};  ///< where it is told: the instruction, or the user's call
    bool atomic = false;      ///< or a part of an atomic
    std::uint32_t bytes = 0;  ///< from there to the end of the access
    std::uintptr_t address = 0;
    /// Bytes of it that held something: what nobody was seen to store, or what another lane has just stored.
    std::vector<std::uintptr_t> held = {};
    bool of_team = false;  ///< that was judged by itself: it knows what its lanes wrote, and whether the read is of any value
    auto place() const { return std::tuple(told, address, bytes); }
  };
  /// Who else has written a byte, of what is known of it in the launch.
  struct Writers {
    bool others = false;      ///< than the lane that is asked for
    bool maybe_itself = false;  ///< two lanes before it have, and of a third nothing is kept
  };
  /// One by a lane behind a fence, or an atomic that may order it: these count by themselves, with the team's tick.
  struct Late {
    Mark mark;
    std::uint16_t tick = 0;
    AccessKind kind = AccessKind::none;
    std::uint8_t bytes = 0;  ///< of the word, a mask
    auto place() const { return std::tuple(mark.lane, tick, kind, mark.site); }
  };

  Deeds whole;
  std::unique_ptr<std::array<Deeds, 4>> parts;  ///< once an access covered part of it: in place of `whole`
  std::vector<Unwritten> unwritten;  ///< of each place the first lane's; the lowest `most_reads`, in their order
  std::vector<Late> late;            ///< of each kind the first `most_late`, in the order of lanes and ticks
  std::uint8_t lacks_late = 0;       ///< a bit for each kind of which there were more

  bool lacks_late_of(AccessKind kind) const { return (lacks_late >> static_cast<unsigned>(kind) & 1) != 0; }
  Deeds const& of_byte(std::uintptr_t byte) const { return parts == nullptr ? whole : (*parts)[byte]; }
  /// One of the first two lanes that stored to it, or to a part of it, is this one.
  bool is_written_by(std::uint32_t lane) const;
  /// Of the byte, by lanes below `lanes`.
  Writers writers(std::uintptr_t byte, std::uint32_t lane, std::uint64_t lanes) const;
  /// The first lane that is known to have changed the byte by an atomic, but for this one.
  std::optional<std::uint32_t> other_updater(std::uintptr_t byte, std::uint32_t lane) const;
  /// The instructions by which the lane may have read it.
  struct Readers {
    std::vector<Site> sites;
    bool may_be_others = false;
  };
  Readers readers(std::uint32_t lane) const;
  WordAside copy() const;

  /// A lane accesses these bytes of it, a mask (all, or one): those of `init` were written before the launch.
  struct Joined {
    bool known = false;  ///< they were written before the launch, or by the lane itself
    bool again = false;  ///< it stores, and another lane of its team has
  };
  Joined join(std::uint64_t bytes, std::uint64_t init, AccessKind kind, Mark mark, std::uint32_t tick, std::uint32_t team_size);
  void note_unwritten(Unwritten&& read);
  /// A lane that stored again changed what was there.
  void note_change();

 private:
  void add_late(Late const& access);
};

}  // namespace teamsan
