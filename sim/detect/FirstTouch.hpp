// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What most words of a commit meet: no team of the launch has touched them, and this one did without atomics; or all have only
/// read, and this one stands for them. The word becomes known in one store.
#pragma once

#include "../../traces/Site.hpp"
#include "../memory/Cell.hpp"
#include "../memory/GlobalShadow.hpp"
#include "SiteTable.hpp"

#include <atomic>
#include <cstdint>

namespace teamsan::detect {

class FirstTouch {
 public:
  FirstTouch(KnownSites& sites, std::uint32_t epoch, std::uint64_t league_rank)
      : m_sites(sites), m_epoch(epoch), m_league_rank(league_rank) {}

  void operator()(Cell const& cell, std::uint64_t& main, std::uint32_t& extra) {
    GlobalWord g;
    g.epoch = m_epoch;
    g.init = (main >> 6 & 15) | ((main & 63) != 0 ? main >> 34 & 15 : 0);
    g.team = m_league_rank;
    if (who::touched(cell.write.who)) {
      g.written = 15;
      g.write_lane = who::lane(cell.write.who);
      g.write_site = m_write_site(m_sites, cell.write.site);
    }
    if (who::touched(cell.read.who)) {
      g.read = 15;
      g.read_lane = who::lane(cell.read.who);
      g.read_site = m_read_site(m_sites, cell.read.site);
    }
    extra = global_shadow::pack_extra(g);
    std::atomic_ref(main).store(global_shadow::pack_main(g), std::memory_order_release);
  }

 private:
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
  LastSite m_write_site, m_read_site;
};

}  // namespace teamsan::detect
