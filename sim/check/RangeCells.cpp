// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RangeCells.hpp"

#include "../detect/LibraryCalls.hpp"
#include "../machine/Team.hpp"
#include "../machine/UserSite.hpp"
#include "../memory/FlatShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "Access.hpp"

namespace teamsan {

namespace {

/// The running lane's latest update by a load.
struct UpdateByLoad {
  std::uintptr_t address = 0;
  Who lane = 0;  ///< and where it stands in the order
  std::uint64_t league_rank = 0, launch = 0;
  bool operator==(UpdateByLoad const&) const = default;
};
thread_local constinit UpdateByLoad latest;

UpdateByLoad by_running_lane(std::uintptr_t address) {
  return {address, hot.me, hot.team->league_rank(), hot.team->launch().facts.number};
}

}  // namespace

constinit std::uint32_t LoadsOfUpdates::s_others[1u << bits]{};

bool LoadsOfUpdates::has_slowly(Site site) {
  if (hot.in_runtime != 0) return false;
  std::uint32_t const first = first_place(site), second = second_place(site);
  if (at(second) == number_of(site)) return false;
  RuntimeScope const scope;
  if (detect::is_atomic_loop(site)) return true;
  // Where two have the same first place, each is to keep one: they would put one another out with each access.
  std::uint32_t const place = at(first) != 0 && at(second) == 0 ? second : first;
  __atomic_store_n(s_others + place, number_of(site), __ATOMIC_RELAXED);
  return false;
}

void update_by_load(std::uintptr_t address, std::uint32_t bytes, Site site) {
  note_users_call(site);
  latest = by_running_lane(address);
  // Of a launch whose later teams are flat: there it is the same.
  if (FlatShadow* const flat = hot.team->launch().flat; flat != nullptr && !flat->loads_for_update(site))
    flat->note_load_of_update(site);
  checked_access({address, bytes, AccessKind::atomic_write, site, true}, false);
}

void note_users_call(Site site) {
  if (Site const users = user_site(site); users != site) [[unlikely]] detect::note_library_call(*hot.team, site, users);
}

bool is_updated_by_load(std::uintptr_t address) {
  return hot.of_range && latest.address == address && hot.lane != nullptr && latest == by_running_lane(address);
}

}  // namespace teamsan
