// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What most words of a commit meet: no team of the launch has touched them, and this one did without atomics; or all have only
/// read, and this one stands for them. The word becomes known in one store. Loads of which a host makes atomics are such: where
/// they stood for plain reads, a plain read by another team would be lost.
#pragma once

#include "../../traces/Site.hpp"
#include "../memory/Cell.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/TeamShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "SiteTable.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace teamsan::detect {

/// is_load_for_atomic, remembered while the instruction stays the same.
class IsAtomic {
 public:
  bool operator()(Site next) {
    if (next != m_site) m_is = is_load_for_atomic(m_site = next);
    return m_is;
  }

 private:
  Site m_site{};
  bool m_is = false;
};

/// A bit for each cell that a lane touched.
template <unsigned cells>
inline std::uint32_t touched_cells(Line const& line) {
  std::uint32_t untouched = 0;
#pragma GCC unroll 16
  for (unsigned i = 0; i != cells; ++i) {  // from the last one on, by an addition with carry each
    Cell const& cell = line.first[cells - 1 - i];
    untouched = untouched + untouched + ((cell.write.who | cell.read.who) < who::first_stamp);
  }
  return untouched ^ ((1u << cells) - 1);
}
inline std::uint32_t touched_cells(Line const& line) {
  return line.wide ? touched_cells<Line::words / 2>(line) : touched_cells<Line::words>(line);
}

class FirstTouch {
 public:
  /// `read_atomically`: is made true before a word is known to be read so.
  FirstTouch(KnownSites& sites, std::uint32_t epoch, std::uint64_t league_rank, std::atomic<bool>& read_atomically)
      : m_sites(sites), m_epoch(epoch), m_league_rank(league_rank), m_read_atomically(read_atomically) {}

  /// Who is asked of before may be asked of under a lock.
  void ask(Line const& line, std::uint32_t touched) {
    for (; touched != 0; touched &= touched - 1) {
      Cell const& cell = line.first[std::countr_zero(touched)];
      if (who::touched(cell.write.who)) m_write_is_atomic(cell.write.site);
      if (who::touched(cell.read.who)) m_read_is_atomic(cell.read.site);
    }
  }

  bool reads_for_atomic(Cell const& cell) { return m_read_is_atomic(cell.read.site); }

  void operator()(Cell const& cell, std::uint64_t& main, std::uint32_t& extra) {
    Word const word = of(cell, main);
    m_last_known = main & init_mask;
    extra = word.extra;
    std::atomic_ref(main).store(word.main, std::memory_order_release);
  }
  /// Of a wide line's two words, of which the same is known so far.
  void both(Cell const& cell, std::uint64_t* main, std::uint32_t* extra) {
    Word const word = of(cell, main[0]);
    m_last_known = main[0] & init_mask;
    put<2>(word, main, extra);
  }

  /// The same for words of which the same is known so far, where that, and by which instructions they were touched now, is as
  /// at the latest ones. False: it is not, and nothing has changed.
  template <unsigned words>
  [[gnu::always_inline]] bool as_before(Cell const& cell, std::uint64_t* main, std::uint32_t* extra) const {
    if ((main[0] & init_mask) != m_last_known) return false;
    if (!is_by_latest(cell)) return false;
    Who const write = cell.write.who, read = cell.read.who;
    static_assert((who::bytewise & who::poison & who::atomic) != 0);
    if (((write | read) & who::atomic) != 0) return false;
    if ((write >= who::first_stamp) != m_last.written || (read >= who::first_stamp) != m_last.read) return false;
    put<words>(with_lanes(m_last.word, write & m_last.write_lanes, read & m_last.read_lanes), main, extra);
    return true;
  }

  /// The same for all words of a line that has so many for each cell. False: it is not so of all of them.
  template <unsigned words>
  [[gnu::always_inline]] bool all_as_before(Line const& line, std::uint64_t* main, std::uint32_t* extra) const {
    constexpr unsigned cells = Line::words / words;
    // Where teams touch few words of a line, its first or its last is another one.
    if (!is_by_latest(line.first[0]) || !is_by_latest(line.first[cells - 1])) return false;
    if (!is_all_as_before<cells>(line, main)) return false;
    Word const known = m_last.word;
    Who const write_lanes = m_last.write_lanes, read_lanes = m_last.read_lanes;
#pragma GCC unroll 16
    for (unsigned i = 0; i != cells; ++i) {
      Cell const& cell = line.first[i];
      put<words>(with_lanes(known, cell.write.who & write_lanes, cell.read.who & read_lanes), main + words * i,
                 extra + words * i);
    }
    return true;
  }

 private:
  bool is_by_latest(Cell const& cell) const {
    return cell.write.site == m_last.write_site && cell.read.site == m_last.read_site;
  }

  using Halves = std::int32_t __attribute__((vector_size(16), may_alias));
  using Words = std::uint64_t __attribute__((vector_size(16), may_alias));

  /// Two words, or four halves, at a time: what differs is put together, and asked for once.
  template <unsigned cells>
  [[gnu::always_inline]] bool is_all_as_before(Line const& line, std::uint64_t const* main) const {
    static_assert(offsetof(Line, first) % sizeof(Halves) == 0 && sizeof(Line) % sizeof(Halves) == 0);
    auto const* const words = reinterpret_cast<Words const*>(main);
    Words any = words[0], all = any;
#pragma GCC unroll 8
    for (unsigned i = 1; i != Line::words / 2; ++i) {
      any |= words[i];
      all &= words[i];
    }
    std::uint64_t const unlike_known = ((any[0] | any[1]) ^ m_last_known) | ((all[0] & all[1]) ^ m_last_known);
    if ((unlike_known & init_mask) != 0) return false;
    // Of a mark with no bit for atomics, that a lane touched it is a comparison of numbers with a sign.
    static_assert((who::last_stamp | who::flags_mask | who::lane_mask) <= 0x7fffffffu);
    auto const half = [](auto value) { return static_cast<std::int32_t>(value); };
    constexpr auto most = half(who::first_stamp - 1);
    Halves const marks = {half(number_of(m_last.write_site)), 0, half(number_of(m_last.read_site)), 0};
    Halves const touched = {0, -half(m_last.written), 0, -half(m_last.read)};
    Halves others{}, differs{};
#pragma GCC unroll 16
    for (unsigned i = 0; i != cells; ++i) {
      Halves const cell = *reinterpret_cast<Halves const*>(&line.first[i]);
      others |= (cell > Halves{most, most, most, most}) ^ touched;
      differs |= cell ^ marks;
    }
    Halves const unlike = (differs & Halves{-1, half(who::atomic), -1, half(who::atomic)}) | (others & Halves{0, -1, 0, -1});
    auto const bits = reinterpret_cast<Words const&>(unlike);
    return (bits[0] | bits[1]) == 0;
  }

  /// What a word's `main` says of which of its bytes were written before the launch.
  static constexpr std::uint64_t init_mask = 63 | std::uint64_t{15} << 6 | std::uint64_t{15} << 34;

  struct Word {
    std::uint64_t main = 0;
    std::uint32_t extra = 0;
  };
  /// What most of a team's words come to that the same instructions touched: all but the lanes.
  struct Known {
    bool written = false, read = false;  ///< neither: nothing is known yet
    Site write_site{}, read_site{};
    std::uint32_t init = 0;
    Who write_lanes = 0, read_lanes = 0;  ///< bits that say which, if it was
    Word word;
  };

  Word of(Cell const& cell, std::uint64_t main) {
    auto const init = static_cast<std::uint32_t>((main >> 6 & 15) | ((main & 63) != 0 ? main >> 34 & 15 : 0));
    bool const written = who::touched(cell.write.who), read = who::touched(cell.read.who);
    if (init != m_last.init || written != m_last.written || read != m_last.read || cell.write.site != m_last.write_site ||
        cell.read.site != m_last.read_site)
      m_last = {written, read, cell.write.site, cell.read.site, init, written ? who::lane_mask : 0, read ? who::lane_mask : 0,
                but_for_lanes(cell, written, read, init)};
    return with_lanes(m_last.word, cell.write.who & m_last.write_lanes, cell.read.who & m_last.read_lanes);
  }

  template <unsigned words>
  [[gnu::always_inline]] static void put(Word const& word, std::uint64_t* main, std::uint32_t* extra) {
    for (unsigned i = 0; i != words; ++i) extra[i] = word.extra;
    for (unsigned i = 0; i != words; ++i) std::atomic_ref(main[i]).store(word.main, std::memory_order_release);
  }
  static Word with_lanes(Word const& word, std::uint32_t write, std::uint32_t read) {
    GlobalWord lanes;
    lanes.write_lane = write;
    lanes.read_lane = read;
    return {word.main | global_shadow::pack_main(lanes), word.extra | global_shadow::pack_extra(lanes)};
  }

  [[gnu::noinline]] Word but_for_lanes(Cell const& cell, bool written, bool read, std::uint32_t init) {
    GlobalWord g;
    g.epoch = m_epoch;
    g.init = init;
    g.team = m_league_rank;
    if (written) {
      g.written = 15;
      g.write_site = m_write_site(m_sites, cell.write.site);
      g.write_atomic = m_write_is_atomic(cell.write.site);
    }
    if (read) {
      g.read = 15;
      g.read_site = m_read_site(m_sites, cell.read.site);
      g.read_atomic = m_read_is_atomic(cell.read.site);
      if (g.read_atomic) m_read_atomically = true;
    }
    return {global_shadow::pack_main(g), global_shadow::pack_extra(g)};
  }

  /// A site's id, remembered while the site stays the same.
  struct LastSite {
    Site site{};
    std::uint32_t id = 0;
    std::uint32_t operator()(KnownSites& sites, Site next) {
      if (next != site) id = sites.id(site = next);
      return id;
    }
  };

  KnownSites& m_sites;
  std::uint32_t const m_epoch;
  std::uint64_t const m_league_rank;
  std::atomic<bool>& m_read_atomically;
  LastSite m_write_site, m_read_site;
  IsAtomic m_write_is_atomic, m_read_is_atomic;
  Known m_last;
  std::uint64_t m_last_known = ~std::uint64_t{0};  ///< what was known, of that, of the latest words; at first nothing has been
};

}  // namespace teamsan::detect
