// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// out-of-bounds: past a View's allocation, past a piece of scratch into the gap before the next, freed memory,
/// misaligned access. Cannot see an index that runs from one row of a View into the next inside one allocation
/// (Kokkos' own bounds checks do).
#include "Checker.hpp"
#include "NamedView.hpp"

#include "../../model/device/Device.hpp"
#include "../base/MemoryName.hpp"
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/CallStack.hpp"
#include "../memory/Allocations.hpp"
#include "../places/KokkosNames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace teamsan::detect {

namespace {

std::string bytes_away(std::uint64_t n) { return counted(n, "byte"); }

bool is_before(Data const& data) { return static_cast<std::int64_t>(data.offset) < 0; }

/// How far outside it is: "a(64), extent 64", or in bytes where the elements are not known.
Because how_far(Data const& data, std::string const& whole) {
  if (!data.extents.empty())
    return because(Reason::index_beyond, (data.label.empty() ? "index " : data.label) + data.index, data.extents);
  if (is_before(data)) return because(Reason::before_first, bytes_away(-data.offset), whole);
  std::uint64_t const past = data.offset - data.bytes;
  return past == 0 ? because(Reason::right_past_end, whole) : because(Reason::past_end, bytes_away(past), whole);
}

/// What a GPU has at an address of scratch that no piece holds here.
Because neighbour_on_gpu(Team const& team, std::uintptr_t address) {
  Scratch const& scratch = team.scratch();
  ScratchPiece const* const piece = scratch.piece_near(address);
  if (piece == nullptr) return {};
  std::size_t const at = piece->device_offset + (address - piece->begin);
  for (ScratchPiece const& other : scratch.pieces()) {
    if (&other == piece || other.level != piece->level || at - other.device_offset >= other.bytes) continue;
    Scratch::Name const* const name = scratch.name_of(other);
    if (other.site == piece->site && other.per_thread) return because(Reason::thread_scratch_there, other.thread);
    return because(Reason::scratch_there, name != nullptr ? Argument(name->name) : Argument(DeclaredThere{other.site}),
                   CodePlace{other.site});
  }
  return {};
}

/// The live allocation that an index ran out of, though not into the room beside it: by less than its own length, or than what
/// a row of another View may have.
Allocation const* left_behind(std::uintptr_t address) {
  Allocation const* const nearest = nearest_allocation(address);
  if (nearest == nullptr || !nearest->live) return nullptr;
  std::uintptr_t const away = address < nearest->data() ? nearest->data() - address : address - nearest->end();
  return away < std::max(nearest->end() - nearest->data(), std::uintptr_t{arena::MiB}) ? nearest : nullptr;
}

/// How an index that has run below its View's start is kept inside is not how one is that has run past the end.
/// What no View was made for has no extents.
Cure index_cure(Data const& data) {
  if (is_before(data)) return Cure::keep_index_from_0;
  return data.shape.empty() ? Cure::keep_index_of_memory : Cure::keep_index;
}

/// No device has as much scratch as some indices ask for.
Cure scratch_cure(Data const& data) {
  if (is_before(data)) return Cure::keep_scratch_index_from_0;
  model::Device const& device = options().model();
  std::uint64_t const most = data.scratch_level == 0 ? device.scratch_opt_in : device.scratch_level1;
  return data.offset >= most ? Cure::keep_scratch_index_alone : Cure::keep_scratch_index;
}

RawFinding make(Team const& team, Access const& access, Target const& target, std::uintptr_t address) {
  RawFinding f;
  f.rule = Rule::out_of_bounds;
  f.sides.push_back(running_side(team, access));
  if (target.scratch) {
    f.data = describe_scratch(team, address, access.bytes);
    f.title = fmt::format("{} outside a piece of team scratch", verb(access.kind));
    f.why = {how_far(f.data, "the piece of " + bytes_away(f.data.bytes))};
    if (Because neighbour = neighbour_on_gpu(team, address); !neighbour.empty()) f.why.push_back(std::move(neighbour));
    f.fix = remedy(scratch_cure(f.data));
    LaunchConfig const& config = team.launch().facts.config;
    if (f.data.bytes == 0 && config.team_scratch[0] == 0 && config.thread_scratch[0] == 0) {
      f.why = {because(Reason::no_scratch_reserved)};
      f.fix = remedy(Cure::reserve_launch_sized);
    }
    return f;
  }
  f.data = describe_global(address, access.bytes);
  AllocationsHeld const held;
  Allocation const* const owner = find_allocation(address);
  if (std::optional<Data> named = named_view_left(access, f.sides[0].callers, address)) {
    f.title = fmt::format("{} outside a View's allocation", verb(access.kind));
    f.why = {how_far(*named, bytes_away(named->bytes))};
    if (owner != nullptr && owner->live && owner->label != named->label)
      f.why.push_back(because(Reason::another_lies_there, owner->label));
    f.data = std::move(*named);
    f.fix = remedy(index_cure(f.data));
  } else if (std::optional<Data> held_view = held_view_left(team.launch(), access, f.sides[0].callers, address)) {
    f.title = fmt::format("{} outside a View's allocation", verb(access.kind));
    f.why = {how_far(*held_view, bytes_away(held_view->bytes))};
    f.data = std::move(*held_view);
    f.fix = remedy(index_cure(f.data));
  } else if (owner && !owner->live) {
    f.title = fmt::format("{} of freed {}", verb(access.kind), memory_name(address));
    f.why = {because(owner->freed_in == team.launch().facts.number ? Reason::freed_meanwhile : Reason::freed_before_kernel)};
    f.fix = remedy(owner->shape.known() ? Cure::keep_alive : Cure::free_behind_kernels);
  } else if (owner || left_behind(address)) {
    f.title = fmt::format("{} outside a View's allocation", verb(access.kind));
    if (std::string index = index_written(access, f.sides[0].callers, address); !index.empty() && !f.data.extents.empty())
      f.data.index = std::move(index);
    f.why = {how_far(f.data, bytes_away(f.data.bytes))};
    f.fix = remedy(index_cure(f.data));
  } else {
    f.title = fmt::format("{} of {} that was never allocated", verb(access.kind), memory_name(address));
    f.data = {};  // what lies nearest is not what was meant
    f.data.kind = Data::Kind::view;
    f.data.address = address;
    f.data.element_bytes = access.bytes;
    f.why = {because(Reason::no_view_there)};
    f.fix = remedy(Cure::check_pointer);
  }
  auto const of_map = [](Site site) { return has_code(KokkosCode::unordered_map, site); };
  if (of_map(access.site) || std::ranges::any_of(f.sides[0].callers, of_map) || is_entry_of_map(access, f.sides[0].callers)) {
    f.why.push_back(because(Reason::not_in_map));
    f.fix = remedy(Cure::ask_failed_insert);
  }
  return f;
}

/// The same instruction has run out of another View: one index may do both, and walk through what lies between.
void add_view(Team& team, Key const& key, Access const& access, std::uintptr_t address, std::uint64_t view) {
  constexpr std::size_t most = 3;
  std::vector<std::uint64_t> const& known = findings(team).find(key)->views;
  if (known.size() == most || std::ranges::find(known, view) != known.end()) return;
  // Where the line says which View it indexes, the others are only what lies there.
  std::vector<Site> const callers = call_stack();
  bool const named = named_view_left(access, callers, address) || held_view_left(team.launch(), access, callers, address);
  Data const data = describe_global(address, access.bytes);
  findings(team).extend(key, [&](RawFinding& f) {
    f.views.push_back(view);
    if (named || f.data.label == data.label) return;
    f.why.push_back(how_far(data, bytes_away(data.bytes)));
    f.why.push_back(because(Reason::through_views));
    f.fix = remedy(Cure::keep_index_from_0);
  });
}

}  // namespace

void out_of_bounds(Team& team, Access const& access, Target const& target, std::uintptr_t address) {
  // In front of the first slot of scratch lies device memory.
  if (!target.scratch && find_allocation(address) == nullptr && team.scratch().is_before(address))
    return out_of_bounds(team, access, {true, target.address, nullptr}, address);
  Allocation const* const owner = target.scratch ? nullptr : find_allocation(address);
  if (owner && owner->live && address >= owner->data() && address < owner->end() && owner->closed_to(team.launch().context)) {
    closed_allocation(team, access, address, *owner);
    return;
  }
  if (!options().enabled(Rule::out_of_bounds) || !shard.judges(address)) return;
  std::uint64_t data = data_id(team, target);
  // One index that runs away is one finding, and not one for each View that it comes by.
  constexpr std::uint64_t any_view = ~std::uint64_t{0};
  bool const runs_away = !target.scratch && !(owner && !owner->live);
  if (runs_away && owner == nullptr) {
    AllocationsHeld const held;
    if (Allocation const* const nearest = left_behind(address)) data = nearest->serial;
  }
  Key const key{Rule::out_of_bounds, access.site, Site{}, runs_away ? any_view : data};
  add_finding(team, key, [&] {
    RawFinding f = make(team, access, target, address);
    if (runs_away) f.views = {data};
    return f;
  });
  if (runs_away) add_view(team, key, access, address, data);
  team.note_stray();
}

void misaligned(Team& team, Access const& access) {
  if (!options().enabled(Rule::out_of_bounds)) return;
  constexpr std::uint64_t not_aligned = ~std::uint64_t{0} - 1;  // whatever lies there
  add_finding(team, Key{Rule::out_of_bounds, access.site, Site{}, not_aligned}, [&] {
    RawFinding f;
    f.rule = Rule::out_of_bounds;
    f.sides.push_back(running_side(team, access));
    Target const target{access.address - hot.scratch_begin < hot.scratch_bytes, access.address, nullptr};
    if (target.scratch || arena::contains(arena::global, arena::global_bytes, access.address))
      f.data = describe(team, target, access.bytes);
    f.title = fmt::format("misaligned {} of {} bytes", verb(access.kind), access.bytes);
    f.why = {because(Reason::misaligned, access.address % access.bytes, access.bytes)};
    f.fix = remedy(Cure::align);
    return f;
  });
}

}  // namespace teamsan::detect
