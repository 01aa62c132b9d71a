// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How an access is dealt with that is not only checked, by Watch. The callbacks jump by the table: a row of comparisons costs
/// a counted access a tenth.
#include "Watched.hpp"

namespace teamsan {

namespace {

template <class Watched>
constexpr AccessHandlers handlers() {
  using enum AccessKind;
  return {{Watched::template access<1, read>, Watched::template access<2, read>, Watched::template access<4, read>,
           Watched::template access<8, read>, Watched::template access<16, read>},
          {Watched::template access<1, write>, Watched::template access<2, write>, Watched::template access<4, write>,
           Watched::template access<8, write>, Watched::template access<16, write>}};
}

constexpr AccessHandlers handlers(Watch watch) {
  switch (watch) {
    case Watch::checked: return {};  // in line
    case Watch::range: return handlers<RangeCells<TeamCells>>();
    case Watch::locked: return handlers<LockedCells<RangeCells<TeamCells>>>();
    case Watch::counted: return handlers<Counted<TeamCells>>();
    case Watch::recorded: return handlers<Sharded<Recorded<LockedCells<RangeCells<TeamCells>>>>>();
    case Watch::counted_and_recorded: return handlers<Sharded<Recorded<Counted<TeamCells>>>>();
    case Watch::others: return handlers<Sharded<LockedCells<RangeCells<AnyWords>>>>();
    case Watch::flat: return handlers<FlatWords>();
    case Watch::flat_and_counted: return handlers<Counted<FlatWords>>();
    case Watch::weighed: return handlers<Weighed<LockedCells<RangeCells<TeamCells>>>>();
    case Watch::flat_and_weighed: return handlers<Weighed<FlatWords>>();
    case Watch::nothing: return handlers<Unchecked>();
  }
  return {};
}

}  // namespace

constinit AccessHandlers const access_handlers[] = {
    handlers(Watch::checked),
    handlers(Watch::range),
    handlers(Watch::locked),
    handlers(Watch::counted),
    handlers(Watch::recorded),
    handlers(Watch::counted_and_recorded),
    handlers(Watch::others),
    handlers(Watch::flat),
    handlers(Watch::flat_and_counted),
    handlers(Watch::weighed),
    handlers(Watch::flat_and_weighed),
    handlers(Watch::nothing),
};
static_assert(std::size(access_handlers) == static_cast<unsigned>(Watch::nothing) + 1);

}  // namespace teamsan
