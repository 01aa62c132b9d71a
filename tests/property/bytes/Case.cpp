// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Case.hpp"

#include <fmt/format.h>

namespace property::bytes {

char const* name(Deed deed) {
  switch (deed) {
    case Deed::read:
      return "read";
    case Deed::write:
      return "write";
    case Deed::modify:
      return "modify";
    case Deed::view_read:
      return "view_read";
    case Deed::view_write:
      return "view_write";
    case Deed::struct_read:
      return "struct_read";
    case Deed::struct_write:
      return "struct_write";
    case Deed::copy_read:
      return "copy_read";
    case Deed::copy_write:
      return "copy_write";
    case Deed::any_read:
      return "any_read";
    case Deed::any_write:
      return "any_write";
    case Deed::any_set:
      return "any_set";
    case Deed::volatile_read:
      return "volatile_read";
    case Deed::volatile_write:
      return "volatile_write";
    case Deed::volatile_modify:
      return "volatile_modify";
    case Deed::atomic_load:
      return "atomic_load";
    case Deed::atomic_store:
      return "atomic_store";
    case Deed::atomic_add:
      return "atomic_add";
    case Deed::atomic_max:
      return "atomic_max";
    case Deed::atomic_exchange:
      return "atomic_exchange";
    case Deed::atomic_compare:
      return "atomic_compare";
    case Deed::atomic_add_real:
      return "atomic_add_real";
    case Deed::builtin_load:
      return "builtin_load";
    case Deed::builtin_store:
      return "builtin_store";
    case Deed::builtin_add:
      return "builtin_add";
    case Deed::leave:
      return "leave";
    case Deed::fence:
      return "fence";
    case Deed::raise:
      return "raise";
  }
  return "";
}

Nature nature(Deed deed) {
  switch (deed) {
    case Deed::read:
    case Deed::view_read:
    case Deed::struct_read:
    case Deed::copy_read:
    case Deed::any_read:
      return {.reads = true};
    case Deed::write:
    case Deed::view_write:
    case Deed::struct_write:
    case Deed::copy_write:
    case Deed::any_write:
    case Deed::any_set:
      return {.writes = true};
    case Deed::modify:
      return {.reads = true, .writes = true};
    case Deed::volatile_read:
      return {.reads = true, .atomic = !volatile_is_plain};
    case Deed::volatile_write:
      return {.writes = true, .atomic = !volatile_is_plain};
    case Deed::volatile_modify:
      return {.reads = true, .writes = true, .atomic = !volatile_is_plain};
    case Deed::atomic_load:
    case Deed::builtin_load:
      return {.reads = true, .atomic = true};
    case Deed::atomic_store:
    case Deed::builtin_store:
      return {.writes = true, .atomic = true};
    case Deed::atomic_add:
    case Deed::atomic_exchange:
    case Deed::atomic_add_real:
    case Deed::builtin_add:
      return {.reads = true, .writes = true, .atomic = true};
    case Deed::atomic_max:
    case Deed::atomic_compare:
      return {.reads = true, .writes = true, .atomic = true, .perhaps = true};
    case Deed::leave:
    case Deed::fence:
    case Deed::raise:
      return {};
  }
  return {};
}

char const* name(Policy policy) {
  switch (policy) {
    case Policy::range_for:
      return "parallel_for(RangePolicy)";
    case Policy::range_reduce:
      return "parallel_reduce(RangePolicy)";
    case Policy::range_scan:
      return "parallel_scan(RangePolicy)";
    case Policy::md_for:
      return "parallel_for(MDRangePolicy)";
    case Policy::md_reduce:
      return "parallel_reduce(MDRangePolicy)";
    case Policy::team_for:
      return "parallel_for(TeamPolicy)";
    case Policy::team_reduce:
      return "parallel_reduce(TeamPolicy)";
  }
  return "";
}

char const* name(Construct construct) {
  switch (construct) {
    case Construct::every_lane:
      return "every lane, x its number";
    case Construct::every_thread:
      return "every lane, x its thread's number";
    case Construct::thread_range:
      return "TeamThreadRange";
    case Construct::vector_range:
      return "ThreadVectorRange";
    case Construct::team_vector_range:
      return "TeamVectorRange";
    case Construct::thread_vector:
      return "TeamThreadRange, ThreadVectorRange";
    case Construct::thread_single:
      return "TeamThreadRange, single(PerThread)";
    case Construct::single_team:
      return "single(PerTeam)";
    case Construct::single_thread:
      return "single(PerThread)";
    case Construct::single_team_value:
      return "single(PerTeam) with a value";
    case Construct::single_thread_value:
      return "single(PerThread) with a value";
    case Construct::thread_reduce:
      return "parallel_reduce(TeamThreadRange)";
    case Construct::vector_reduce:
      return "parallel_reduce(ThreadVectorRange)";
    case Construct::team_vector_reduce:
      return "parallel_reduce(TeamVectorRange)";
    case Construct::thread_scan:
      return "parallel_scan(TeamThreadRange)";
    case Construct::vector_scan:
      return "parallel_scan(ThreadVectorRange)";
    case Construct::thread_md:
      return "TeamThreadMDRange";
    case Construct::vector_md:
      return "ThreadVectorMDRange";
    case Construct::team_vector_md:
      return "TeamVectorMDRange";
  }
  return "";
}

char const* name(After after) {
  switch (after) {
    case After::nothing:
      return "";
    case After::barrier:
      return "team_barrier";
    case After::reduce:
      return "team_reduce";
    case After::scan:
      return "team_scan";
    case After::broadcast:
      return "team_broadcast";
  }
  return "";
}

namespace {

std::string text(Operation const& o) {
  if (is_of_flow(o.deed))
    return fmt::format("{}, if x % {} == {} and {} <= x < {}", name(o.deed), o.mask.modulus, o.mask.remainder, o.mask.from,
                       o.mask.until);
  std::string text = fmt::format("{} of {} bytes at array {} + {} + {} * ((0x{:x} * x + {}) % {})", name(o.deed), o.bytes,
                                 o.array, o.map.start, o.map.stride, o.map.a, o.map.b, o.map.modulus);
  if (o.map.league_step != 0) text += fmt::format(" + {} * league", o.map.league_step);
  if (o.repeats > 1) text += fmt::format(", {} times, {} further each", o.repeats, o.repeat_step);
  if (nature(o.deed).writes) text += o.own_values ? ", values of the item" : ", one value";
  if (o.alignment > 1) text += fmt::format(", members of {}", o.alignment);
  if (o.mask.modulus > 1) text += fmt::format(", if x % {} == {}", o.mask.modulus, o.mask.remainder);
  if (o.mask.from > 0) text += fmt::format(", from x = {}", o.mask.from);
  if (o.mask.until != ~0u) text += fmt::format(", before x = {}", o.mask.until);
  return text;
}

std::string text(Array const& a) {
  if (a.alias_of >= 0)
    return fmt::format("bytes {} to {} of array {}, by another pointer", a.alias_at, a.alias_at + a.bytes, a.alias_of);
  constexpr char const* places[] = {"device memory", "team scratch 0", "team scratch 1", "thread scratch 0",
                                    "thread scratch 1"};
  std::string text = fmt::format("{} bytes of {}", a.bytes, places[static_cast<int>(a.place)]);
  if (a.filling == Filling::host) text += ", written by the host";
  if (a.filling == Filling::part) text += fmt::format(", bytes {} to {} written by a kernel before", a.from, a.to);
  return text;
}

std::string text(Kernel const& k) {
  if (is_team(k.policy)) return fmt::format("{}, league {}, team {}, vector {}", name(k.policy), k.league, k.team, k.vector);
  if (!is_md(k.policy))
    return fmt::format("{}, {} iterations{}", name(k.policy), k.count,
                       k.policy != Policy::range_scan ? ""
                       : k.final_only                 ? ", in the final pass"
                                                      : ", in both passes");
  std::string extents, tile;
  for (int d = 0; d < k.rank; ++d) {
    extents += fmt::format(" {}", k.extents[static_cast<std::size_t>(d)]);
    tile += fmt::format(" {}", k.tile[static_cast<std::size_t>(d)]);
  }
  return fmt::format("{}, extents{}, tile{}, {}", name(k.policy), extents, tile, k.left ? "left" : "right");
}

}  // namespace

std::string to_string(Case const& c) {
  std::string all;
  if (c.quiet_before + c.quiet_after != 0)
    all += fmt::format("  quiet launches of each kernel: {} before, {} after\n", c.quiet_before, c.quiet_after);
  for (std::size_t a = 0; a != c.arrays.size(); ++a) all += fmt::format("  array {}: {}\n", a, text(c.arrays[a]));
  for (std::size_t n = 0; n != c.kernels.size(); ++n) {
    Kernel const& k = c.kernels[n];
    all += fmt::format("  kernel {}: {}\n", n, text(k));
    for (int s = 0; s < k.used; ++s) {
      Step const& step = k.steps[static_cast<std::size_t>(s)];
      if (is_team(k.policy))
        all += fmt::format("    {} ({}, {}){}:\n", name(step.construct), step.count, step.inner,
                           step.final_only ? "" : ", in both passes");
      all += fmt::format("    {}: {}\n", s, text(k.operations[static_cast<std::size_t>(s)]));
      if (is_team(k.policy) && step.after != After::nothing) all += fmt::format("    {}\n", name(step.after));
    }
  }
  return all;
}

}  // namespace property::bytes
