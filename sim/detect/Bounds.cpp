// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// out-of-bounds: past a View's allocation, past a piece of scratch into the gap before the next, freed memory,
/// misaligned access. Cannot see an index that runs from one row of a View into the next inside one allocation
/// (Kokkos' own bounds checks do).
#include <teamsan/sim/detect/Checker.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/memory/Allocations.hpp>

#include <fmt/format.h>

namespace teamsan::detect {

namespace {

std::string bytes_away(std::uint64_t n) { return fmt::format("{} byte{}", n, n == 1 ? "" : "s"); }

/// How far outside it is: "a(64), extent 64", or in bytes where the elements are not known.
std::string how_far(Data const& data, std::string const& whole) {
  if (!data.extents.empty())
    return fmt::format("{}{}, {}", data.label.empty() ? "index " : data.label, data.index, data.extents);
  if (static_cast<std::int64_t>(data.offset) < 0)
    return fmt::format("{} before the first of {}", bytes_away(-data.offset), whole);
  std::uint64_t const past = data.offset - data.bytes;
  return past == 0 ? fmt::format("right past the end of {}", whole)
                   : fmt::format("{} past the end of {}", bytes_away(past), whole);
}

/// What a GPU has at an address of scratch that no piece holds here.
std::string neighbour_on_gpu(Team const& team, std::uintptr_t address) {
  Scratch const& scratch = const_cast<Team&>(team).scratch();
  ScratchPiece const* const piece = scratch.piece_near(address);
  if (piece == nullptr) return {};
  std::size_t const at = piece->device_offset + (address - piece->begin);
  for (ScratchPiece const& other : scratch.pieces()) {
    if (&other == piece || other.level != piece->level || at - other.device_offset >= other.bytes) continue;
    Scratch::Name const* const name = scratch.name_of(other);
    if (other.pc == piece->pc && other.per_thread)
      return fmt::format("on a GPU the scratch of thread {} lies there", other.thread);
    return fmt::format("on a GPU {} lies there ({})", name != nullptr ? name->name : name_mark(other.pc), place_mark(other.pc));
  }
  return {};
}

/// The live allocation that an index ran out of, though not into the room beside it: by less than its own length.
Allocation const* left_behind(std::uintptr_t address) {
  Allocation const* const before = nearest_allocation(address);
  return before != nullptr && before->live && address - before->end() < before->end() - before->data() ? before : nullptr;
}

RawFinding make(Team const& team, Access const& access, Target const& target, std::uintptr_t address) {
  RawFinding f;
  f.rule = Rule::out_of_bounds;
  f.sides.push_back(running_side(team, access));
  if (target.scratch) {
    f.data = describe_scratch(team, address, access.bytes);
    f.title = fmt::format("{} outside a piece of team scratch", verb(access.kind));
    f.why = {how_far(f.data, fmt::format("the piece of {} bytes", f.data.bytes))};
    if (std::string neighbour = neighbour_on_gpu(team, address); !neighbour.empty()) f.why.push_back(std::move(neighbour));
    f.fix = "keep the index below the extent of the scratch View, or obtain more scratch";
    return f;
  }
  f.data = describe_global(address, access.bytes);
  AllocationsHeld const held;
  Allocation const* const owner = find_allocation(address);
  if (owner && !owner->live) {
    f.title = fmt::format("{} of freed device memory", verb(access.kind));
    f.why = {owner->freed_in == team.launch().facts.number
                 ? "another host thread freed the allocation while this kernel ran"
                 : "the allocation was freed before this kernel ran"};
    f.fix = "keep a View of the allocation alive as long as kernels use it";
  } else if (owner || left_behind(address)) {
    f.title = fmt::format("{} outside a View's allocation", verb(access.kind));
    f.why = {how_far(f.data, bytes_away(f.data.bytes))};
    f.fix = "keep the index below the View's extent";
  } else {
    f.title = fmt::format("{} of device memory that was never allocated", verb(access.kind));
    f.why = {"no View, past or present, holds this address"};
    f.fix = "check how the pointer or the index was computed";
  }
  return f;
}

}  // namespace

void out_of_bounds(Team& team, Access const& access, Target const& target, std::uintptr_t address) {
  if (!target.scratch) {
    Allocation const* const owner = find_allocation(address);
    if (owner && owner->live && address >= owner->data() && address < owner->end() &&
        owner->closed_to(team.launch().context)) {
      closed_allocation(team, access, address, *owner);
      return;
    }
  }
  if (!options().enabled(Rule::out_of_bounds)) return;
  add_finding(team, Key{Rule::out_of_bounds, access.pc, 0, data_id(team, target)},
              [&] { return make(team, access, target, address); });
  team.note_stray();
}

void misaligned(Team& team, Access const& access) {
  if (!options().enabled(Rule::out_of_bounds)) return;
  add_finding(team, Key{Rule::out_of_bounds, access.pc, 1, 0}, [&] {
    RawFinding f;
    f.rule = Rule::out_of_bounds;
    f.sides.push_back(running_side(team, access));
    Target const target{access.address - hot.scratch_begin < hot.scratch_bytes, access.address, nullptr};
    if (target.scratch || arena::contains(arena::global, arena::global_bytes, access.address))
      f.data = describe(team, target, access.bytes);
    f.title = fmt::format("misaligned {} of {} bytes", verb(access.kind), access.bytes);
    f.why = {fmt::format("the address is {} modulo {}; a GPU faults on it", access.address % access.bytes, access.bytes)};
    f.fix = "align the pointer to the type it points to (get_shmem_aligned for scratch)";
    return f;
  });
}

}  // namespace teamsan::detect
