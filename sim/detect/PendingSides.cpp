// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PendingSides.hpp"

#include "../base/Access.hpp"
#include "../findings/TextLayout.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/TeamShadow.hpp"
#include "Checker.hpp"
#include "PendingWork.hpp"

#include <fmt/format.h>

#include <bit>

namespace teamsan::detect {

std::uintptr_t meeting_place(std::uintptr_t line, Mask bytes, PendingAccess const& theirs, bool& lane_known) {
  lane_known = theirs.knows_lane && (bytes >> theirs.byte & 1);
  return line * Line::bytes + ((bytes >> theirs.byte & 1) ? theirs.byte : static_cast<unsigned>(std::countr_zero(bytes)));
}

std::string kernel_text(Work const& work) {
  if (work.facts.number == 0) return work.actor;
  return fmt::format("kernel \"{}\" (launch #{})", clipped(work.facts.config.label), work.facts.number);
}

Side side_of(PendingAccess const& access, bool writes, bool atomic, bool lane_known, bool name_kernel) {
  Side side;
  side.access = access_kind(writes, atomic);
  side.site = access.site;
  Work const& work = *access.work;
  if (*work.actor != 0) {
    side.actor = work.actor;
    side.callers = work.callers;
  } else if (!lane_known) {
    side.actor = "a lane";
  } else {
    LaunchConfig const& c = work.facts.config;
    side.has_lane = true;
    side.league = access.league;
    side.thread = access.lane / c.vector_length;
    side.vector_lane = access.lane % c.vector_length;
    side.warp = access.lane / work.facts.warp_width;
  }
  if (name_kernel && work.facts.number != 0) side.role = kernel_text(work);
  return side;
}

Data data_at(std::uintptr_t address, std::uint32_t bytes) {
  if (is_global(address)) return describe_global(address, bytes);
  Data data;
  data.kind = Data::Kind::host;
  return data;
}

std::uint64_t data_key(std::uintptr_t address) {
  Allocation const* const a = is_global(address) ? find_allocation(address) : nullptr;
  return a ? a->serial : address;
}

}  // namespace teamsan::detect
