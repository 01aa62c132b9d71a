// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WordRaces.hpp"

#include "../places/AtomicCode.hpp"
#include "CrossTeam.hpp"

#include <cstddef>
#include <vector>

namespace teamsan::detect {

void WordRaces::tell(GlobalPlace const& place, GlobalWord const& g, WordAccesses const& d, WordPair const& pair) {
  unsigned const byte = pair.byte();
  Mark const& mine = pair.mine_writes ? d.write_of(byte) : d.read_of(byte);
  bool const they_read = g.written_by_first() != 0 && g.read != 0, i_read = d.written != 0 && d.read != 0;
  auto const site_numbered = [&](std::uint32_t number) { return m_context.sites.site(number, byte); };
  if (m_context.raced_words != nullptr) {
    std::vector<JoinedAccess> accesses;
    auto const add = [&](std::uint32_t bytes, bool writes, bool atomic, std::uint64_t team, std::uint32_t lane, Site at,
                         std::uint32_t tick) {
      auto const index = static_cast<std::uint32_t>(team * m_context.team_size + lane);
      if (bytes >> byte & 1) accesses.push_back({access_kind(writes, is_part_of_atomic(atomic, at)), {index, at}, tick});
    };
    Mark const &write = d.write_of(byte), &read = d.read_of(byte);
    add(g.written_by_first(), true, g.write_atomic, g.team, g.write_lane, site_numbered(g.write_site), g.write_tick);
    add(g.read, false, g.read_atomic, g.team, g.read_lane, site_numbered(g.read_site), g.read_tick);
    add(d.written, true, d.write_atomic, m_league_rank, who::lane(write.who), write.site, OrderedTeams::lone_tick_of(write));
    add(d.read, false, d.read_atomic, m_league_rank, who::lane(read.who), read.site, OrderedTeams::lone_tick_of(read));
    std::size_t const kinds =
        index_of_kinds(access_kind(pair.mine_writes, pair.mine_writes ? d.write_atomic : d.read_atomic),
                       access_kind(pair.theirs_writes, pair.theirs_writes ? g.write_atomic : g.read_atomic));
    if (m_races.tell_first(place, place.address / 4 * 4 + byte, accesses, kinds)) return;
  }
  GlobalSide const theirs{.writes = pair.theirs_writes,
                          .atomic = pair.theirs_writes ? g.write_atomic : g.read_atomic,
                          .team = g.team,
                          .lane = pair.theirs_writes ? g.write_lane : g.read_lane,
                          .tick = pair.theirs_writes ? g.write_tick : g.read_tick,
                          .site = site_numbered(pair.theirs_writes ? g.write_site : g.read_site),
                          .read = {they_read ? site_numbered(g.read_site) : Site{}}};
  m_races.tell(place, theirs,
               {.writes = pair.mine_writes,
                .atomic = pair.mine_writes ? d.write_atomic : d.read_atomic,
                .team = m_league_rank,
                .lane = who::lane(mine.who),
                .tick = OrderedTeams::lone_tick_of(mine),
                .site = mine.site,
                .read = {i_read ? (d.read & 1u << byte ? d.read_of(byte) : d.read_mark).site : Site{}}});
}

void WordRaces::tell(GlobalPlace const& place, OrderedTeams::Conflict const& conflict) {
  auto const side = [](PastAccess const& a) {
    return GlobalSide{a.writes, a.atomic, a.team, a.lane, a.tick, a.site, {}};
  };
  m_races.tell(place, side(conflict.theirs), side(conflict.mine), conflict.hands_over);
}

}  // namespace teamsan::detect
