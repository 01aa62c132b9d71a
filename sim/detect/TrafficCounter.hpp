// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Asks the machine model what each warp access costs, and adds up by instruction and data: what bank-conflict and
/// uncoalesced findings and the tables of a report are made of. One counter a team object, so that nothing is shared
/// while teams run; sums do not hang on which worker ran which team, and of equally bad warps the first in league order
/// is kept. Equal patterns (same lanes, same distances, same place in a bank row) are modelled once and remembered.
#pragma once

#include "../../model/device/Device.hpp"
#include "../base/Lane.hpp"
#include "AtomicAddresses.hpp"
#include "IdleLanes.hpp"
#include "MeetingCounts.hpp"
#include "../findings/Traffic.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace teamsan {
class Team;
struct WarpRecord;
}  // namespace teamsan

namespace teamsan::detect {

class LaunchTraffic;

class TrafficCounter {
 public:
  void begin_team(LaunchTraffic& launch, std::uint64_t league_rank);
  void count(Team& team, WarpRecord const& record, std::uint32_t warp);
  IdleLanes& idle_lanes() { return m_idle; }
  /// All lanes of the team have met there.
  void count_meeting(Meeting meeting, Join join) { ++m_meetings.of(meeting)[static_cast<std::size_t>(join)]; }

  /// What is known of one instruction on one piece of data.
  struct Counted {
    std::uint64_t key = 0;
    std::uint64_t data_id = 0;
    std::uintptr_t begin = 0, end = 0;  ///< of the data, as this team sees it
    std::uint64_t team = 0;             ///< for which `begin` and `end` hold, plus 1
    std::uint32_t next = 0;             ///< further data of that key, plus 1
    std::uint64_t first = 0;            ///< when it appeared: league rank
    std::uint32_t pattern = 0;          ///< its latest one
    model::AtomicKind atomic{};         ///< as a GPU would do it
    bool simple = false;                ///< a load or store
    std::uint64_t what = 0;             ///< what a pattern is known by, but for its lanes
    std::uint64_t round = 0;            ///< bits of an address that matter to the cost
    std::pair<std::uint64_t, std::uint32_t> parted{};  ///< league rank and warp to which the site's parted_at belongs
    std::unique_ptr<AtomicAddresses> addresses;        ///< of an atomic
    AccessSite site;
    std::uint64_t place(std::uintptr_t base) const { return (base & round) << 1 | site.banked; }
  };
  /// What was counted since the launch began.
  struct Sums {
    std::uint64_t teams = 0;
    MeetingCounts meetings;
    std::vector<Counted> sites;
  };
  /// The counter has no part in the launch any more.
  Sums take();

 private:
  struct Pattern {  ///< a modelled access, remembered
    std::uint64_t key = 0, active = 0, place = ~0ull;
    std::uint32_t cost = 0, ideal = 0;
    std::array<std::uint32_t, model::max_warp_width> offsets;
  };
  struct Cost {
    std::uint32_t actual, ideal;
  };

  /// The site is that of the record. Scratch is laid out anew by each team; an allocation stays where it is.
  bool holds(Counted const& s, WarpRecord const& record) const;
  template <std::uint32_t width>
  bool count_again(Counted& s, WarpRecord const& record, std::uint32_t warp);
  void count_anew(Team& team, WarpRecord const& record, std::uint32_t warp);
  Counted& counted_of(Team& team, WarpRecord const& record);
  Cost cost_of(WarpRecord const& record, Counted& site);
  void count_addresses(WarpRecord const& record, Counted& site);

  LaunchTraffic* m_launch = nullptr;
  model::Device const* m_device = nullptr;
  std::uint64_t m_league_rank = 0;
  std::uint64_t m_teams = 0;
  std::vector<Counted> m_sites;
  std::unordered_map<std::uint64_t, std::uint32_t> m_by_key;  ///< plus 1
  std::vector<std::uint32_t> m_recent;  ///< direct-mapped by key: a site's index plus 1
  std::vector<Pattern> m_patterns;
  IdleLanes m_idle;
  MeetingCounts m_meetings;
};

}  // namespace teamsan::detect
