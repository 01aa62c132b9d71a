// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the committing team did to a word joins what those before it did: who stands for all of them (GlobalShadow.hpp), and do
/// the two conflict?
#pragma once

#include "../base/Shard.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "CrossTeam.hpp"
#include "FirstTouch.hpp"
#include "OrderedTeams.hpp"
#include "WordAccesses.hpp"
#include "WordPair.hpp"
#include "WordRaces.hpp"

#include <cstdint>

namespace teamsan::detect {

class WordJoin {
 public:
  WordJoin(CommitContext& context, std::uint64_t league_rank, OrderedTeams& order, WordRaces& tells)
      : m_context(context), m_league_rank(league_rank), m_order(order), m_tells(tells) {}

  /// Where atomics may order teams: of the word that comes next its accesses were compared, and told of.
  enum class Verdict : std::uint8_t { none, ordered, races };
  Verdict verdict = Verdict::none;

  /// `g`: what this launch knows of the word. `part`: other bytes of it are accessed by this team in other ways.
  void operator()(GlobalPlace const& place, GlobalWord& g, WordAccesses const& d, bool part) {
    if (g.split || part || (others_bytes(g) && !alike(g, d)))
      split(place, g, d);
    else
      merge(place, g, d);
  }
  bool reads_atomically(Site site) { return m_read_is_atomic(site); }

 private:
  bool others_bytes(GlobalWord const& g) const { return (g.written | g.read) != 0 && g.team != m_league_rank; }
  /// One state tells all of both: the same bytes, and of those that were written either all or none by the first team.
  static bool alike(GlobalWord const& g, WordAccesses const& d) {
    std::uint32_t const first = g.written_by_first();
    return (g.written | g.read) == (d.written | d.read) && (first == 0 || (d.written & ~first) == 0);
  }

  /// Two teams, the same bytes.
  WordPair conflict(GlobalWord const& g, WordAccesses const& d) const {
    return others_bytes(g) ? WordPair::of_conflict(g, d) : WordPair();
  }

  /// Plain accesses inside Kokkos' atomics are parts of an atomic. Those of unknown instructions may be.
  void recognise_atomics(GlobalWord& g, WordAccesses& d) const {
    if (d.written) d.write_atomic = is_part_of_atomic(d.write_atomic, d.write.site);
    if (d.read) d.read_atomic = is_part_of_atomic(d.read_atomic, d.read_mark.site);
    auto const atomic = [&](bool known, std::uint32_t number) {
      return number == 0 || is_part_of_atomic(known, m_context.sites.site(number));
    };
    if (g.written) g.write_atomic = atomic(g.write_atomic, g.write_site);
    if (g.read) g.read_atomic = atomic(g.read_atomic, g.read_site);
  }

  void merge(GlobalPlace const& place, GlobalWord& g, WordAccesses d) {
    if (d.written) d.write_atomic = d.write_atomic || m_write_is_atomic(d.write.site);
    if (d.read) d.read_atomic = d.read_atomic || m_read_is_atomic(d.read_mark.site);
    if (conflict(g, d).found()) recognise_atomics(g, d);
    if (WordPair const pair = conflict(g, d); pair.found()) {
      note_write(g, d);
      if (verdict != Verdict::none) {
        g.raced |= verdict == Verdict::races;
        return;
      }
      if (m_context.wide_league && m_context.atomic_order->used()) {
        m_context.not_judged.add(Shortfall::wide_league, m_league_rank);
        return;
      }
      m_context.raced = g.raced = true;
      if (m_context.report && shard.judges(place.address)) m_tells.tell(place, g, d, pair);
      return;
    }
    bool const mine = !others_bytes(g);
    // An atomic reader gives way: to atomic writers, which later plain readers race with, and to plain readers, which later
    // atomic writers race with. Where atomics order teams it gives way to the first who writes, and is kept beside.
    bool const conflicts_more = (d.written && d.write_atomic) || (d.read && !d.read_atomic);
    bool const may_go = verdict == Verdict::none || (g.written == 0 && d.written != 0);
    bool const replaces = !mine && may_go && conflicts_more && !g.written_by_first() && g.read_atomic;
    if (!mine && d.write_atomic && d.written) {
      note_shared(d.write.site);
      // Atomic stores may initialise too, for teams that are ordered after them.
      if ((d.written & ~g.init) && m_order.takes_part() && !replaces) g.others_wrote = true;
    }
    if (d.read && d.read_atomic) m_context.read_atomically = true;
    if (!mine && !replaces) return;
    if (replaces && verdict != Verdict::none) m_order.keep_first_team(place.address & ~std::uintptr_t{3}, g);
    if (replaces) g.read = 0;
    g.team = m_league_rank;
    if (d.written && (!g.written_by_first() || (g.write_atomic && !d.write_atomic))) {
      g.write_lane = who::lane(d.write.who);
      g.write_site = site_of(m_context.known_sites, d.write, d.bytes != nullptr ? &d.bytes->write : nullptr);
      g.write_atomic = d.write_atomic;
      g.write_tick = OrderedTeams::lone_tick_of(d.write);
      g.only_others_wrote = false;
    }
    if (d.read && (!g.read || (g.read_atomic && !d.read_atomic))) {
      g.read_lane = who::lane(d.read_mark.who);
      g.read_site = site_of(m_context.known_sites, d.read_mark, d.bytes != nullptr ? &d.bytes->read : nullptr);
      g.read_atomic = d.read_atomic;
      g.read_tick = OrderedTeams::lone_tick_of(d.read_mark);
    }
    g.written |= d.written;
    g.read |= d.read;
  }

  /// A team that is not the first wrote: the bytes are initialised from the next launch on.
  static void note_write(GlobalWord& g, WordAccesses const& d) {
    if (d.written == 0) return;
    g.others_wrote = true;
    g.only_others_wrote |= g.written == 0;
    g.written |= d.written;
  }

  void note_shared(Site site) {
    if (site == m_last_shared) return;
    m_last_shared = site;
    m_context.shared_atomics.insert(site);
  }

  /// Different teams own different bytes of the word: each byte gets a state of its own.
  void split(GlobalPlace const& place, GlobalWord& g, WordAccesses const& d) {
    GlobalWord* const parts = global_shadow::split_word(place.address);
    if (!g.split) {
      for (unsigned b = 0; b != 4; ++b) {
        parts[b] = g;
        parts[b].written = g.written & 1u << b;
        parts[b].read = g.read & 1u << b;
        parts[b].others_wrote = g.others_wrote && parts[b].written;
      }
      g.split = true;
    }
    for (unsigned b = 0; b != 4; ++b) {
      WordAccesses part = d;
      part.written &= 1u << b;
      part.read &= 1u << b;
      part.write = d.write_of(b);
      part.read_mark = d.read_of(b);
      part.bytes = nullptr;
      if (part.written | part.read) merge({place.address + b, place.allocation}, parts[b], part);
      g.raced |= parts[b].raced;
    }
    g.written |= d.written;
    g.read |= d.read;
  }

  CommitContext& m_context;
  std::uint64_t m_league_rank;
  OrderedTeams& m_order;
  WordRaces& m_tells;
  IsAtomic m_write_is_atomic, m_read_is_atomic;
  Site m_last_shared{};
};

}  // namespace teamsan::detect
