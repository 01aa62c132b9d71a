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

RawFinding make(Team const& team, Access const& access, Target const& target, std::uintptr_t address) {
  RawFinding f;
  f.rule = Rule::out_of_bounds;
  f.sides.push_back(running_side(team, access));
  if (target.scratch) {
    f.data = describe_scratch(team, address, access.bytes);
    f.title = fmt::format("{} outside a piece of team scratch", verb(access.kind));
    bool const before = f.data.offset >= std::uint64_t{1} << 63;
    f.why = {before ? fmt::format("{} before the piece of {} bytes", bytes_away(-f.data.offset), f.data.bytes)
                    : fmt::format("{} past the end of the piece of {} bytes; on a GPU the next piece lies there",
                                  bytes_away(f.data.offset - f.data.bytes), f.data.bytes)};
    f.fix = "keep the index below the extent of the scratch View, or obtain more scratch";
    return f;
  }
  f.data = describe_global(address, access.bytes);
  Allocation const* const owner = find_allocation(address);
  if (owner && !owner->live) {
    f.title = fmt::format("{} of freed device memory", verb(access.kind));
    f.why = {owner->freed_in == team.launch().facts.number
                 ? "another host thread freed the allocation while this kernel ran"
                 : "the allocation was freed before this kernel ran"};
    f.fix = "keep a View of the allocation alive as long as kernels use it";
  } else if (owner) {
    f.title = fmt::format("{} outside a View's allocation", verb(access.kind));
    f.why = {address < owner->data()
                 ? fmt::format("{} before the first of {} bytes", bytes_away(owner->data() - address), f.data.bytes)
                 : fmt::format("{} past the end of {} bytes", bytes_away(address - owner->end()), f.data.bytes)};
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
