// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Checker.hpp"

#include "../base/BigStack.hpp"
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "FlatLaunch.hpp"
#include "../machine/AtomicOrder.hpp"
#include "../machine/Commit.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/FlatTouch.hpp"
#include "../memory/GlobalShadow.hpp"

#include <algorithm>
#include <utility>

namespace teamsan {

namespace {

using namespace detect;

/// The pieces of one access: what was found for it is found once, however many words it covers.
class PieceChecker {
 public:
  PieceChecker(Team& team, Access const& access, bool judged, bool knows_all)
      : m_team(team), m_access(access), m_reads(access.reads()), m_judged(judged), m_knows_all(judged && knows_all) {}

  /// A struct is copied with its padding, small ones as one word of 4, 8 or 16 bytes: a read counts as uninitialised only
  /// if nothing of what it covers was written.
  ~PieceChecker() {
    if (m_stores_again) add_flat_store(m_team, m_access);
    // Another shard tells of it, and goes on team by team: so do all.
    if (!m_judged && (m_race || m_outside)) m_team.checks().faults_elsewhere = true;
    if (!m_uninit || m_any_written || !m_knows_all) return;
    if (m_flat)
      note_flat_uninit(m_access, m_uninit_at.address);
    else
      note_uninit(m_team, m_access, m_uninit_at);
  }

  /// The piece is a flat launch's: it is joined into the global shadow. False: nobody may touch it.
  bool join(std::uintptr_t address, bool whole) {
    FlatShadow::Mark const mark{hot.flat_lane, m_access.site};
    std::uint32_t const tick = std::min(hot.me >> who::stamp_shift, AtomicOrder::unknown_tick);
    auto const outcome = flat::touch(*hot.flat_shadow, FlatTable::of_this_thread(), address, whole, m_access.kind, mark,
                                     hot.lane->event != 0 ? tick : 0);
    if (!outcome) return false;
    m_flat = true;
    m_stores_again |= outcome == FlatShadow::Outcome::store_again;
    bool const written = is_written_for(*outcome);
    m_any_written |= written;
    if (m_reads && !written && !std::exchange(m_uninit, true)) m_uninit_at = {false, address, nullptr};
    return true;
  }

  void operator()(Target const& target, Piece const& piece) {
    if (piece.first.write.who == who::poison) {
      if (!std::exchange(m_outside, true) && m_judged) out_of_bounds(m_team, m_access, target, piece.address);
      return;
    }
    Who const read = piece.first.read.who;
    if (m_reads && piece.first.write.who != 0) m_any_written = true;
    // The lane's first read of the word is the one that tells.
    if (m_reads && piece.first.write.who == 0 && !m_uninit && (read == 0 || who::lane(read) != who::lane(hot.me))) {
      m_uninit = true;
      m_uninit_at = target;
    }
    RacedAccess const raced = check_race(m_team, m_access, target, piece, m_judged && !m_told);
    m_race |= raced.is;
    m_told |= raced.told;
  }

 private:
  /// Which of several lanes of the launch comes first, chance decides: all of them may read what nobody had written.
  bool is_written_for(FlatShadow::Outcome outcome) const {
    switch (outcome) {
      case FlatShadow::Outcome::fresh: return false;
      case FlatShadow::Outcome::by_others: return !m_reads;
      case FlatShadow::Outcome::written:
      case FlatShadow::Outcome::store_again: break;
    }
    return true;
  }

  Team& m_team;
  Access const& m_access;
  bool const m_reads;
  bool const m_judged;     ///< by this shard
  bool const m_knows_all;  ///< of the bytes that were written
  bool m_flat = false, m_stores_again = false;
  bool m_outside = false, m_uninit = false, m_any_written = false, m_race = false, m_told = false;
  Target m_uninit_at{};
};

/// The pieces of an access to memory that has Cells: words where it covers words whole, bytes elsewhere.
template <class Words, class Bytes>
void for_each_piece(Access const& access, Words words_at, Bytes bytes_at) {
  std::uintptr_t address = access.address;
  std::uintptr_t const end = address + access.bytes;
  while (address < end) {
    if (address % 4 == 0 && end - address >= 4 && words_at(address)) {
      address += 4;
    } else {
      bytes_at(address);
      ++address;
    }
  }
}

void check_scratch(Team& team, Access const& access) {
  Scratch& scratch = team.scratch();
  PieceChecker check(team, access, true, true);
  for_each_piece(
      access,
      [&](std::uintptr_t a) {
        Cell& first = *Scratch::cells_at(a);
        if (first.write.who == who::bytewise) return false;
        check({true, a, nullptr}, {first, *Scratch::seconds_at(a), a});
        return true;
      },
      [&](std::uintptr_t a) {
        ByteLine& line = scratch.split(a);
        check({true, a, nullptr}, {line.first[a % Line::bytes], line.second[a % Line::bytes], a});
      });
}

void check_global(Team& team, Access const& access) {
  TeamShadow& shadow = team.shadow();
  PieceChecker check(team, access, shard.judges(access.address), shard.records_all(access.address, access.bytes));
  for_each_piece(
      access,
      [&](std::uintptr_t a) {
        if (shard.on() && !shard.records(a)) {
          if (access.is_write()) global_shadow::mark_stored(a, 4);
          return true;
        }
        if (hot.is_flat() && a - arena::device < arena::device_bytes && check.join(a, true)) return true;
        Line& line = shadow.line(a);
        if (line.per_byte) return false;
        unsigned const w = a / 4 % Line::words;
        check({false, a, &line}, {line.first[w], line.second()[w], a});
        return true;
      },
      [&](std::uintptr_t a) {
        if (shard.on() && !shard.records(a)) {
          if (access.is_write()) global_shadow::mark_stored(a, 1);
          return;
        }
        if (hot.is_flat() && a - arena::device < arena::device_bytes && check.join(a, false)) return;
        Line& line = shadow.line(a);
        ByteLine& bytes = shadow.split(line);
        unsigned const b = a % Line::bytes;
        check({false, a, &line}, {bytes.first[b], bytes.second[b], a});
      });
  hot.index = shadow.index();
  hot.index_shift = shadow.shift();
}

}  // namespace

namespace detect {

void check_access(Access const& access, bool is_range) {
  if (hot.in_runtime != 0) return;
  std::uintptr_t const a = access.address;
  Team& team = *hot.team;
  if (!team.checked()) return;
  RuntimeScope const scope;
  if (!is_range && access.bytes <= 8 && a % access.bytes != 0 && arena::contains(arena::program, arena::program_bytes, a) &&
      shard.judges(a)) {
    misaligned(team, access);
  }
  if (a - hot.scratch_begin < hot.scratch_bytes)
    check_scratch(team, access);
  else if (arena::contains(arena::global, arena::global_bytes, a))
    check_global(team, access);
  else if (arena::contains(arena::constant, arena::constant_bytes, a) && !access.is_write())
    return;  // the kernel object
  else if (hot.lane->stack.owns(a))
    return;  // the lane's own stack
  else if (team.checks().accumulators.watches(a))
    team.checks().accumulators.note(access);
  else if (team.checks().nested_accumulators.watches(a))
    team.checks().nested_accumulators.note(access);
  else if (team.checks().team_accumulators.watches(a))
    team.checks().team_accumulators.note(access);
  else if (hot.scratch_cells != nullptr || !arena::contains(arena::scratch, arena::scratch_bytes, a))
    outside(team, access);
}

void halt_on_error(Team& team, RawFinding const& finding) {
  if (!options().halt_on_error) return;
  if (!shard.owns_team(team.league_rank()) && !is_for_all_shards(finding)) return;
  bool ends = false;
  auto ask = [&] {  // a lane's stack is small
    RuntimeScope const scope;
    ends = ends_the_program(finding, team.launch().facts);
  };
  run_on_big_stack(ask);
  if (ends) team.launch().commit->halt(team);
}

}  // namespace detect

namespace events {

using namespace detect;

void construct_accessed(Access const& access) { check_access(access, true); }

}  // namespace events
}  // namespace teamsan
