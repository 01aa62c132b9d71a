// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is kept of a race until it is known whether the store changed anything.
#pragma once

#include "../../traces/Site.hpp"
#include "Handovers.hpp"
#include "../findings/RawFinding.hpp"
#include "../memory/Cell.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// Who is known to have read a word before.
using Readers = std::array<Mark, 2>;

struct DeferredRace {
  std::uintptr_t address;  ///< of the store
  std::uint32_t bytes;
  Site site;
  std::uintptr_t word;     ///< the first conflicting word or byte
  bool scratch;
  Mark other;
  AccessKind other_kind;
  Readers readers;
  std::uint32_t scopes;  ///< that the lane was in
  std::uint32_t way;     ///< to the store, among TeamChecks::pending_ways
  std::optional<Handover> handover = {};  ///< by which it is an unfenced-handover
};

/// Text and data of the finding. Precondition: the lane that stores is still the running one.
RawFinding describe_race(Team const& team, DeferredRace const& race);

}  // namespace teamsan::detect
