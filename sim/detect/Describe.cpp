// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Describe.hpp"

#include "../base/Arena.hpp"
#include "../machine/CallStack.hpp"
#include "../machine/Team.hpp"
#include "../memory/Allocations.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <bit>

namespace teamsan::detect {

namespace {

/// `byte` counts from the View's first element.
void describe_element(Data& data, Shape const& shape, std::uint64_t byte) {
  if (!shape.known()) return;
  data.shape = to_string(shape);
  data.index = index_of(shape, byte);
  data.element_type = shape.type;
  data.element_size = shape.element_bytes;
  auto const at = static_cast<std::int64_t>(byte);
  if (at < 0 || byte >= shape.span() * shape.element_bytes) {
    data.index = index_beyond(shape, at);
    if (!data.index.empty()) data.extents = extents_of(shape);
  } else {
    data.within = static_cast<std::uint32_t>(byte % shape.element_bytes);
  }
}

/// Kokkos aligns what a View in scratch asks for to its elements' size, if that is more than the least alignment.
std::uint32_t element_of(ScratchPiece const& piece) {
  constexpr std::size_t least = 8;
  if (piece.alignment <= least || piece.bytes % piece.alignment != 0) return 0;
  // Who asks by himself may align as he likes, but hardly to what is no power of two.
  auto const& frames = frames_of(piece.site);
  bool const by_view = !std::has_single_bit(piece.alignment) || (!frames.empty() && frames.front().internal);
  return by_view ? static_cast<std::uint32_t>(piece.alignment) : 0;
}

}  // namespace

Data describe_scratch(Team const& team, std::uintptr_t address, std::uint32_t element_bytes) {
  Data data;
  data.kind = Data::Kind::scratch;
  data.address = address;
  data.element_bytes = element_bytes;
  if (ScratchPiece const* const p = team.scratch().piece_near(address)) {
    data.scratch_level = p->level;
    data.offset = address - p->begin;
    data.bytes = p->bytes;
    data.obtained_site = p->site;
    if (std::uint32_t const bytes = element_of(*p); bytes != 0) {
      data.element_bytes = data.element_size = bytes;
      if (data.offset < data.bytes) data.within = static_cast<std::uint32_t>(data.offset % bytes);
    }
    if (Scratch::Name const* const name = team.scratch().name_of(*p)) {
      data.label = name->name;
      describe_element(data, name->shape, address - name->address);
    }
  }
  return data;
}

Data describe_global(std::uintptr_t address, std::uint32_t element_bytes) {
  Data data;
  data.kind = Data::Kind::view;
  data.address = address;
  data.element_bytes = element_bytes;
  AllocationsHeld const held;
  Allocation const* a = find_allocation(address);
  if (a == nullptr) a = nearest_allocation(address);
  if (a != nullptr) {
    data.label = a->label;
    data.offset = address - a->data();
    data.bytes = a->bytes - a->header_bytes;
    data.allocated = a->calls;
    describe_element(data, a->shape, data.offset);
  }
  return data;
}

Data describe(Team const& team, Target const& target, std::uint32_t element_bytes) {
  return target.scratch ? describe_scratch(team, target.address, element_bytes)
                        : describe_global(target.address, element_bytes);
}

std::uint64_t data_id(Team const& team, Target const& target) {
  if (target.scratch) {
    ScratchPiece const* const p = team.scratch().piece_near(target.address);
    return p ? p->device_offset * 2 + static_cast<std::uint64_t>(p->level) + 1 : 0;
  }
  Allocation const* const a = target.line ? target.line->allocation : find_allocation(target.address);
  return a ? a->serial : 0;
}

RawSide running_side(Team const& team, Access const& access) {
  RawSide side;
  side.access = access.kind;
  side.bytes = access.bytes;
  side.lane = {true, team.league_rank(), hot.lane->lane.index};
  side.has_interval = true;
  side.interval = team.interval();
  side.site = access.site;
  side.callers = call_stack();
  return side;
}

char const* verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::none: return "no access";
    case AccessKind::read: return "read";
    case AccessKind::write: return "write";
    case AccessKind::atomic_read: return "atomic read";
    case AccessKind::atomic_write: return "atomic write";
  }
  return "";
}

std::string context_name(std::uint32_t context) {
  return context == default_context ? "the default context" : fmt::format("context {}", context);
}

}  // namespace teamsan::detect
