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
#include <cstdint>
#include <cstring>

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
    recall(cell, main);
    extra = m_last.extra;
    std::atomic_ref(main).store(m_last.main, std::memory_order_release);
  }
  /// Of a wide line's two words, of which the same is known so far.
  void both(Cell const& cell, std::uint64_t* main, std::uint32_t* extra) {
    recall(cell, main[0]);
    for (unsigned i = 0; i != 2; ++i) extra[i] = m_last.extra;
    for (unsigned i = 0; i != 2; ++i) std::atomic_ref(main[i]).store(m_last.main, std::memory_order_release);
  }

 private:
  void recall(Cell const& cell, std::uint64_t main) {
    auto const init = static_cast<std::uint32_t>((main >> 6 & 15) | ((main & 63) != 0 ? main >> 34 & 15 : 0));
    if (init != m_last.init || std::memcmp(&cell, &m_last.cell, sizeof cell) != 0) m_last = known(cell, init);
  }

  /// What a cell comes to in a word that was initialised so: both words of a double have the same.
  struct Known {
    Cell cell{};
    std::uint32_t init = 0, extra = 0;
    std::uint64_t main = 0;
  };

  Known known(Cell const& cell, std::uint32_t init) {
    GlobalWord g;
    g.epoch = m_epoch;
    g.init = init;
    g.team = m_league_rank;
    if (who::touched(cell.write.who)) {
      g.written = 15;
      g.write_lane = who::lane(cell.write.who);
      g.write_site = m_write_site(m_sites, cell.write.site);
      g.write_atomic = m_write_is_atomic(cell.write.site);
    }
    if (who::touched(cell.read.who)) {
      g.read = 15;
      g.read_lane = who::lane(cell.read.who);
      g.read_site = m_read_site(m_sites, cell.read.site);
      g.read_atomic = m_read_is_atomic(cell.read.site);
      if (g.read_atomic) m_read_atomically = true;
    }
    return {cell, init, global_shadow::pack_extra(g), global_shadow::pack_main(g)};
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
  Known m_last;  ///< of no cell that anybody touched, at first
};

}  // namespace teamsan::detect
