// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CrossTeam.hpp"

#include "../base/Shard.hpp"
#include "EarlyJoin.hpp"
#include "FirstTouch.hpp"
#include "OrderedTeams.hpp"
#include "WordAccesses.hpp"
#include "WordJoin.hpp"
#include "WordRaces.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/TeamShadow.hpp"
#include "../places/AtomicCode.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>

namespace teamsan::detect {

namespace {

class Committer {
 public:
  Committer(CommitContext& context, std::uint64_t league_rank, TeamShadow const& shadow, FindingList& findings)
      : m_context(context),
        m_shadow(shadow),
        m_league_rank(league_rank),
        m_read_before(context.epoch | std::uint64_t{15} << 38),
        m_first_touch(context.known_sites, context.epoch, league_rank, context.read_atomically),
        m_tells(context, league_rank, findings),
        m_order(context, league_rank, shadow),
        m_join(context, league_rank, m_order, m_tells),
        m_hands_over(context.handovers != nullptr && context.handovers->has(league_rank)),
        m_more_of_first(context.wide_league || m_hands_over) {}

  void line(Line& line) {
    std::uintptr_t const address = line.key * Line::bytes;
    if (line.allocation == nullptr || !line.allocation->live) return;
    m_allocation = line.allocation;
    if (line.per_byte != nullptr || m_order.on() || m_context.joins_early)
      return by_and_by(line, address);
    // Teams mostly touch few words of a line, and most of these were only read before, too.
    bool const changed = line.wide ? wide_line(line, address) : narrow_line(line, address);
    if (changed) m_dirty.mark(address);
  }

 private:
  /// Epoch, written and read, as packed in GlobalShadow.hpp.
  static constexpr std::uint64_t read_before_mask = 63 | std::uint64_t{0xff} << 34;
  /// What a word's extra says of atomics, races and parts.
  static constexpr std::uint32_t other_than_plain = 0xfcu << 24;

  bool narrow_line(Line const& line, std::uintptr_t address) {
    std::uint64_t* const main = global_shadow::cell(address);
    bool const usual = !m_more_of_first;
    if (usual && m_first_touch.all_as_before<1>(line, main, global_shadow::extra(address))) return true;
    bool changed = false;
    for (std::uint32_t touched = touched_cells<Line::words>(line); touched != 0; touched &= touched - 1) {
      unsigned const w = static_cast<unsigned>(std::countr_zero(touched));
      std::uint32_t* const extra = global_shadow::extra(address + 4 * w);
      if (is_only_read(line.first[w]) && only_read_before(main[w], *extra)) continue;
      if (usual && m_first_touch.as_before<1>(line.first[w], main + w, extra)) {
        changed = true;
        continue;
      }
      changed |= of_line(address + 4 * w, main[w], line, w);
    }
    return changed;
  }
  bool wide_line(Line const& line, std::uintptr_t address) {
    std::uint64_t* const main = global_shadow::cell(address);
    bool const usual = !m_more_of_first;
    if (usual && m_first_touch.all_as_before<2>(line, main, global_shadow::extra(address))) return true;
    bool changed = false;
    for (std::uint32_t touched = touched_cells<Line::words / 2>(line); touched != 0; touched &= touched - 1) {
      unsigned const i = static_cast<unsigned>(std::countr_zero(touched));
      Cell const& cell = line.first[i];
      std::uint64_t* const words = main + 2 * i;
      std::uint32_t* const extra = global_shadow::extra(address + 8 * i);
      bool const same = words[0] == words[1];
      if (same && usual && m_first_touch.as_before<2>(cell, words, extra)) {
        changed = true;
        continue;
      }
      if (same && is_only_read(cell) && only_read_before(words[0], extra[0]) && only_read_before(words[1], extra[1])) continue;
      if (same && (words[0] & 63) != m_context.epoch && usual &&
          ((cell.write.who | cell.read.who) & who::atomic) == 0) {
        m_first_touch.both(cell, words, extra);
        changed = true;
        continue;
      }
      for (unsigned w = 2 * i; w != 2 * i + 2; ++w) changed |= of_line(address + 4 * w, main[w], line, w);
    }
    return changed;
  }

  /// Where more may have to be known of the words.
  [[gnu::noinline]] void by_and_by(Line const& line, std::uintptr_t address) {
    std::optional<LineLock> lock;
    if (m_context.joins_early) {
      if (line.per_byte == nullptr) m_first_touch.ask(line, touched_cells(line));
      lock.emplace(line.key);
    }
    std::uint64_t* const main = global_shadow::cell(address);
    bool changed = false;
    for (unsigned w = 0; w != Line::words; ++w)
      if (Cell const& cell = line.word(w); (cell.write.who | cell.read.who) >= who::first_stamp)
        changed |= of_line(address + 4 * w, main[w], line, w);
    if (changed) m_dirty.mark(address);
  }

  /// By earlier teams; one more that reads changes nothing. Where one read by an atomic, a plain reader takes its place.
  bool only_read_before(std::uint64_t main, std::uint32_t extra) const {
    return (main & read_before_mask) == m_read_before && (!m_context.read_atomically || (extra & other_than_plain) == 0);
  }
  static bool is_only_read(Cell const& cell) {
    return !who::touched(cell.write.who) && ((cell.write.who | cell.read.who) & who::atomic) == 0;
  }
  static bool is_touched(Cell const& cell) { return who::touched(cell.write.who) || who::touched(cell.read.who); }
  static bool is_touched(Line const& line, unsigned w) {
    if (line.per_byte == nullptr) return is_touched(line.word(w));
    Cell const* const bytes = line.per_byte->first + 4 * w;
    return std::any_of(bytes, bytes + 4, [](Cell const& c) { return is_touched(c); });
  }

  /// A word that the team touched, or some of its bytes. True: what is known of it has changed.
  bool of_line(std::uintptr_t address, std::uint64_t& main, Line const& line, unsigned w) {
    if (m_context.joins_early && is_joined_too_early(main) && is_touched(line, w)) {
      if (std::uint32_t const extra = *global_shadow::extra(address); both_only_read(line, w, main, extra)) {
        m_first_touch(line.word(w), main, *global_shadow::extra(address));
        return true;
      }
      take_out(main);
    }
    if (m_order.on()) return ordered_word(address, line, w);
    if (line.per_byte != nullptr) return bytes(address, line, w);
    Cell const& cell = line.word(w);
    bool const written = who::touched(cell.write.who), read = who::touched(cell.read.who);
    if (!written && !read) return false;
    bool const atomic = (cell.write.who | cell.read.who) & who::atomic;
    if (!atomic && (main & 63) != m_context.epoch) {
      m_first_touch(cell, main, *global_shadow::extra(address));
      if (m_more_of_first) more_of_first_touch(address, cell, written, read);
      return true;
    }
    if (is_only_read(cell) && only_read_before(main, *global_shadow::extra(address))) return false;
    return word(address, accesses_of(m_shadow, line, 4 * w, cell, 15));
  }

  /// By a team whose turn comes later (EarlyJoin.hpp).
  bool is_joined_too_early(std::uint64_t main) const {
    return (main & 63) == m_context.epoch && (main >> 10 & global_shadow::max_team) > m_league_rank && !m_context.wide_league;
  }
  /// The later team and this one, without atomics: the first of them stands for both.
  bool both_only_read(Line const& line, unsigned w, std::uint64_t main, std::uint32_t extra) {
    if (line.per_byte != nullptr || m_order.on() || m_more_of_first || who::touched(line.word(w).write.who)) return false;
    if (m_join.reads_atomically(line.word(w).read.site)) return false;  // the later team may have read without
    return !(line.word(w).read.who & who::atomic) && (main >> 34 & 0xff) == 0xf0 && (extra & other_than_plain) == 0;
  }
  /// The word is as it was before the launch; that team's turn will come.
  void take_out(std::uint64_t& main) {
    std::atomic_ref(main).store(main & std::uint64_t{15} << 6, std::memory_order_relaxed);
    m_context.taken_out = true;
  }

  void more_of_first_touch(std::uintptr_t address, Cell const& cell, bool written, bool read) const {
    if (m_context.wide_league)
      *global_shadow::ticks(address) = global_shadow::upper_part(m_league_rank);
    else
      keep_ticks(address, cell, written, read);
  }

  /// Atomics may order what this team did with what others do, or hand it over.
  bool keeps_ticks() const { return m_order.takes_part() || m_hands_over; }

  static void keep_ticks(std::uintptr_t address, Cell const& cell, bool written, bool read) {
    GlobalWord g;
    g.write_tick = written ? OrderedTeams::lone_tick_of(cell.write) : 0;
    g.read_tick = read ? OrderedTeams::lone_tick_of({cell.read.site, cell.read.who & ~who::mixed}) : 0;
    *global_shadow::ticks(address) = global_shadow::pack_ticks(g);
  }

  /// Where atomics may order teams.
  bool ordered_word(std::uintptr_t address, Line const& line, unsigned w) {
    Cell const& cell = line.word(w);
    bool const written = who::touched(cell.write.who), read = who::touched(cell.read.who);
    std::uint64_t& main = *global_shadow::cell(address);
    if (line.per_byte == nullptr) {
      if (!written && !read) return false;
      bool const several = (cell.write.who | cell.read.who) & (who::several | who::many | who::result);
      bool const more = m_order.takes_part() && (several || m_shadow.has_earlier(line, w));
      if (!more && !((cell.write.who | cell.read.who) & who::atomic) && (main & 63) != m_context.epoch) {
        m_first_touch(cell, main, *global_shadow::extra(address));
        if (keeps_ticks()) keep_ticks(address, cell, written, read);
        return true;
      }
    } else if (std::none_of(line.per_byte->first + 4 * w, line.per_byte->first + 4 * w + 4, [](Cell const& c) {
                 return who::touched(c.write.who) || who::touched(c.read.who);
               })) {
      return false;
    }
    GlobalWord const g = load(address);
    if (m_order.concerns(address, g)) {
      m_join.verdict = WordJoin::Verdict::ordered;
      if (auto const conflict = m_order.judge(address, g, line, w)) {
        m_join.verdict = WordJoin::Verdict::races;
        m_context.raced = true;
        if (m_context.report && shard.judges(address)) m_tells.tell(place(address), *conflict);
      }
    } else if (m_order.takes_part()) {
      m_order.keep(address, line, w);
    }
    bool const changed =
        line.per_byte != nullptr ? bytes(address, line, w) : word(address, accesses_of(m_shadow, line, 4 * w, cell, 15));
    m_join.verdict = WordJoin::Verdict::none;
    return changed;
  }

  /// What this launch knows of the word.
  GlobalWord load(std::uintptr_t address) const {
    GlobalWord g = global_shadow::load(address, m_context.wide_league);
    if (g.epoch != m_context.epoch) {
      GlobalWord fresh;
      fresh.epoch = m_context.epoch;
      fresh.init = g.epoch != 0 ? g.init | g.written : g.init;
      return fresh;
    }
    if (m_order.on() || m_hands_over) {
      std::uint32_t const ticks = *global_shadow::ticks(address);
      g.write_tick = ticks & 0xffff;
      g.read_tick = ticks >> 16;
    }
    return g;
  }

  /// `part`: other bytes of the word are accessed by this team in other ways.
  bool word(std::uintptr_t address, WordAccesses const& d, bool part = false) {
    std::uint64_t* const main = global_shadow::cell(address);
    std::uint32_t* const extra = global_shadow::extra(address);
    GlobalWord g = load(address);
    m_join(place(address), g, d, part);
    // Another worker may be asking init_before: the word changes in one store.
    *extra = global_shadow::pack_extra(g);
    std::atomic_ref(*main).store(global_shadow::pack_main(g), std::memory_order_release);
    if (m_context.wide_league)
      *global_shadow::ticks(address) = global_shadow::upper_part(g.team);
    else if (keeps_ticks())
      *global_shadow::ticks(address) = global_shadow::pack_ticks(g);
    return true;
  }

  bool bytes(std::uintptr_t address, Line const& line, unsigned w) {
    auto const of_byte = [&](unsigned b) {
      return accesses_of(m_shadow, line, 4 * w + b, line.per_byte->first[4 * w + b], 1u << b);
    };
    // Bytes that were treated alike go together; others follow one by one.
    auto const both_atomic_or_plain = [](bool atomic, Mark const& mark, bool other_atomic, Mark const& other) {
      if (atomic || other_atomic || mark.site == other.site) return atomic == other_atomic;
      // A load by which an atomic begins is a plain one, to the byte that the atomic is about.
      return is_part_of_atomic(false, mark.site) == is_part_of_atomic(false, other.site);
    };
    WordAccesses all{};
    ByteMarks marks;
    bool alike = true, one_mark = true;
    for (unsigned b = 0; b != 4; ++b) {
      WordAccesses const d = of_byte(b);
      if ((d.written | d.read) == 0) continue;
      marks.write[b] = d.written ? d.write : Mark{};
      marks.read[b] = d.read ? d.read_mark : Mark{};
      if (d.written && !all.written) all.write = d.write, all.write_atomic = d.write_atomic;
      if (d.read && !all.read) all.read_mark = d.read_mark, all.read_atomic = d.read_atomic;
      alike = alike &&
              (!d.written || (both_atomic_or_plain(d.write_atomic, d.write, all.write_atomic, all.write) &&
                              m_order.at_one_time(d.write, all.write))) &&
              (!d.read || (both_atomic_or_plain(d.read_atomic, d.read_mark, all.read_atomic, all.read_mark) &&
                           m_order.at_one_time(d.read_mark, all.read_mark)));
      auto const same = [](Mark const& a, Mark const& b) { return a.site == b.site && who::lane(a.who) == who::lane(b.who); };
      one_mark = one_mark && (!d.written || same(d.write, all.write)) && (!d.read || same(d.read_mark, all.read_mark));
      all.written |= d.written;
      all.read |= d.read;
    }
    if ((all.written | all.read) == 0) return false;
    if (!one_mark) all.bytes = &marks;
    if (alike) return word(address, all);
    for (unsigned b = 0; b != 4; ++b)
      if (WordAccesses const d = of_byte(b); d.written | d.read) word(address, d, true);
    return true;
  }

  GlobalPlace place(std::uintptr_t address) const { return {address, m_allocation}; }

  CommitContext& m_context;
  TeamShadow const& m_shadow;
  std::uint64_t m_league_rank;
  std::uint64_t m_read_before;  ///< read by an earlier team of this launch, and by none written
  FirstTouch m_first_touch;     ///< `word`, in short, of what most words meet
  global_shadow::DirtyLines m_dirty;
  WordRaces m_tells;
  Allocation const* m_allocation = nullptr;
  OrderedTeams m_order;
  WordJoin m_join;
  bool const m_hands_over;     ///< by atomics, as far as that is known
  bool const m_more_of_first;  ///< a first touch takes more than m_first_touch
};

}  // namespace

void commit(CommitContext& context, std::uint64_t league_rank, TeamShadow& shadow, FindingList& findings,
            std::vector<std::uint32_t> const* left) {
  Committer committer(context, league_rank, shadow, findings);
  if (left != nullptr) {
    for (std::uint32_t const i : *left) committer.line(shadow[i]);
    return;
  }
  constexpr std::size_t ahead = 4;
  for (std::size_t i = 0; i != shadow.size(); ++i) {
    if (i + ahead < shadow.size()) {
      std::uintptr_t const next = shadow[i + ahead].key * Line::bytes;
      __builtin_prefetch(global_shadow::cell(next), 1);
      __builtin_prefetch(global_shadow::cell(next) + Line::words / 2, 1);
      __builtin_prefetch(global_shadow::extra(next), 1);
    }
    committer.line(shadow[i]);
  }
}

}  // namespace teamsan::detect
