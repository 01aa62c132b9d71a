// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a worker looks up for flat words (FlatWord.hpp): which memory its lanes may touch, and the numbers of instructions.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "FlatHolds.hpp"
#include "FlatWord.hpp"
#include "Hot.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace teamsan {

/// Is a plain access a part of an atomic, which Kokkos makes on a host out of several? A load by which an update begins
/// is one; so are loads and stores under a lock of Kokkos'.
enum class AtomicPart : std::uint8_t { none, begins_update, locked };

/// What the access is to a word.
constexpr AccessKind kind_to_word(AccessKind kind, AtomicPart part) {
  if (is_atomic(kind) || part == AtomicPart::none) return kind;
  return access_kind(is_write(kind) || part == AtomicPart::begins_update, true);
}

/// What is used of it is small enough to stay in the processor's first cache.
struct FlatTable {
  FlatSites in_line;  ///< first: Hot::flat_sites
  /// Addresses of one allocation, in one chunk of the shadow: an aligned access of 4, 8 or 16 bytes is in it if it begins
  /// less than so many bytes behind its beginning.
  struct Window {
    std::uintptr_t begin;
    std::uint32_t room[3];
  };
  static constexpr unsigned window_shift = 16;
  Window windows[64];
  /// An instruction, and where it is aimed: so many accesses of its width, aligned, lie side by side from `begin` in memory
  /// that it may touch. It is where it was before, mostly, and so one comparison does for all that has to be asked.
  struct alignas(32) Instruction {
    std::uintptr_t begin;
    std::uint32_t room;
    Site site;  ///< none: none yet
    std::uint64_t place_bits;  ///< its place, where a word has it
    std::uint32_t aimed;       ///< so often
    std::uint8_t shared;       ///< with lanes of the team 1, with other teams' 2: by an atomic
    std::uint8_t pool;         ///< 1: what lies there is a Kokkos::MemoryPool's
    AtomicPart part;           ///< never aimed if it is one: it is told from plain accesses each time
    bool of_library;           ///< of a load by which an update begins: in a function of Kokkos' that users' calls lead to

    flat::Place place() const { return FlatWord(place_bits).place(); }

    template <unsigned bytes>
    [[gnu::always_inline]] bool covers(std::uintptr_t address, Site by) const {
      // Turned, what is not aligned has high bits.
      return std::rotr(address - begin, std::countr_zero(bytes)) < room && site == by;
    }
  };
  static constexpr std::uint8_t shared_by_all = 3, may_be_pool = 2;
  static constexpr std::uint32_t slots = 512, displaced_slots = 512;
  Instruction instructions[slots];
  /// Those that others have taken the slots of: a large kernel has many such pairs, and a lane's accesses go by turns.
  Instruction displaced[displaced_slots];
  /// Loads by which updates begin, aimed: apart, since among the others they would pass for plain ones.
  static constexpr std::uint32_t update_slots = 32;
  Instruction updates[update_slots];
  bool has_updates = false;
  std::uint16_t used[slots];  ///< slots that have an instruction, so many:
  std::uint16_t used_displaced[displaced_slots];
  std::uint16_t used_in_line[teamsan_flat_sites];
  std::uint32_t used_slots = 0, used_displaced_slots = 0, used_slots_in_line = 0;
  std::uint64_t launch = 0, freed = 0;
  bool of_first_team = false;
  FlatHolds* holds = nullptr;  ///< while several workers run a flat launch, this one as number `worker`
  FlatHolds::Mark shared = 0;  ///< of stretches that all of them change
  unsigned worker = 0;

  Window const& window(std::uintptr_t address) const { return windows[address >> window_shift & 63]; }
  static std::uint32_t slot(Site site) { return (number_of(site) ^ number_of(site) >> 9) & (slots - 1); }
  /// Those of one slot have different ones here, mostly.
  static std::uint32_t displaced_slot(Site site) { return number_of(site) * 0x9e3779b1u >> 23; }
  static std::uint32_t update_slot(Site site) { return number_of(site) * 0x9e3779b1u >> 27; }
  Instruction const& at(Site site) const { return instructions[slot(site)]; }
  Instruction& at(Site site) { return instructions[slot(site)]; }

  static FlatTable& of_this_thread();
  /// It knows nothing, and learns nothing: for lanes of which more has to be kept than a word has room for.
  static FlatTable& blind();
  /// Nothing is done to flat words but between these two, where there are several workers. The first one is to be said anew
  /// for a launch; who has left, by a crash, may leave again.
  void join_workers(FlatHolds& all, unsigned number) {
    holds = &all;
    all.enter(number);
    shared = all.shared();
    worker = number;
  }
  void leave_workers() {
    if (holds != nullptr) holds->leave(worker);
    holds = nullptr;
  }
  /// Does another worker want what this one holds? Asked behind each lane.
  bool is_wanted() const { return holds != nullptr && holds->wanted(worker).load(std::memory_order_relaxed); }
  /// None of the worker's lanes runs just now: what others want is theirs.
  void rest() {
    if (is_wanted()) holds->give_up(worker);
  }
  /// What this worker holds has this mark; no_mark: there are no others, or it holds nothing any more.
  FlatHolds::Mark mark() const { return holds != nullptr ? holds->mark(worker) : FlatHolds::no_mark; }
  /// Before the worker joins an access of the running lane there. True: nobody else does so at the same time.
  bool take(std::uintptr_t address) {
    if (holds == nullptr) return true;
    bool const alone = holds->take(address, worker);
    if (hot.flat_mark != FlatHolds::no_mark) hot.flat_mark = mark();  // the rest may have been given up
    return alone;
  }

  /// A team of that launch begins. `first`: it may be the only one that is checked, and what it is aimed at stays small: memory
  /// that may have been touched is gone through from time to time.
  void begin_team(std::uint64_t launch_number, bool first = false);
  /// Makes the window that the access lies in. False: nobody may touch it all.
  bool learn_window(std::uintptr_t address, std::uint32_t bytes, std::uint32_t context);
  /// The instruction gets its slot back if another has taken it.
  void recall(Site site) {
    if (at(site).site != site) [[unlikely]] bring_back(site);
  }
  /// The instruction has this number in the launch, and is that.
  void learn_place(Site site, flat::Place place, AtomicPart part);
  /// The check in line that returns to there, by its number, finds from now on what is known of the instruction.
  void know_in_line(std::uint32_t number, std::uintptr_t return_address);
  /// Its number, if it is known here.
  std::optional<flat::Place> place(Site site) const {
    return at(site).site == site ? std::optional(at(site).place()) : std::nullopt;
  }
  /// Is the instruction known, and the memory there in a window, for an access of 4, 8 or 16 bytes (`width` 0, 1, 2), of 1 or 2
  /// bytes of a word (-2, -1)?
  bool knows(std::uintptr_t address, Site site, int width) const {
    Window const& w = window(address);
    std::uintptr_t const begin = width < 0 ? address & ~std::uintptr_t{3} : address;
    return begin - w.begin < w.room[of_words(width)] && at(site).site == site;
  }
  /// Aims what is known there: at its window, and where that changes very often, at the whole allocation. Not an instruction
  /// that has no number: which one it is, a word has no room for.
  bool aim(std::uintptr_t address, Site site, int width) { return aim(at(site), address, site, width); }
  /// The same of a load by which an update begins: among `updates`. nullptr: it is not aimed.
  Instruction* aim_update(std::uintptr_t address, Site site, int width);
  /// By this instruction, which is known here, a word was updated that another lane of the team (or of another team) has
  /// updated, too. True: that is news.
  bool note_shared(Site site, bool of_team);

 private:
  void forget_instructions();
  static unsigned of_words(int width) { return width < 0 ? 0 : static_cast<unsigned>(width); }
  bool aim(Instruction& instruction, std::uintptr_t address, Site site, int width);
  void bring_back(Site site);
  void displace(Instruction const& instruction);
};

}  // namespace teamsan
