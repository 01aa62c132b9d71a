// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// wrong-space and stale-scratch, seen from a lane: memory that this lane, or any lane, must not touch. Host memory is
/// everything outside the arena; constants of the program and thread-local variables of Kokkos are left aside, and so
/// are the lock tables behind Kokkos' atomics on large types, and reads of what Clang keeps in writable memory without a
/// symbol. What a lane takes from malloc or new is of the heap that CUDA and HIP have for lanes: which of them may touch it
/// when, and how far, is not looked at.
#include "Checker.hpp"

#include "../../model/device/Device.hpp"
#include "../base/Options.hpp"
#include "../base/ScratchSlots.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/CallStack.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/ExceptionObjects.hpp"
#include "../memory/LaneHeap.hpp"
#include "../places/HostData.hpp"
#include "../places/KokkosNames.hpp"
#include "../places/Modules.hpp"
#include "../places/Program.hpp"
#include "../places/StaticData.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace teamsan::detect {

namespace {

void add(Team& team, Access const& access, Rule rule, Data::Kind kind, std::string title, Reason why, Cure fix) {
  if (!options().enabled(rule)) return;
  add_finding(team, Key{rule, access.site, Site{}, static_cast<std::uint64_t>(kind)}, [&] {
    RawFinding f;
    f.rule = rule;
    f.data.kind = kind;
    f.data.element_bytes = access.bytes;
    f.title = std::move(title);
    f.sides.push_back(running_side(team, access));
    std::string const variable = kind == Data::Kind::host ? variable_at(access.address) : "";
    f.data.label = label_of_host_data(variable);
    if (variable.empty())
      f.why = {because(why)};
    else
      f.why = {because(Reason::host_memory_named, variable)};
    // A kernel that is about a host View may want another space instead.
    bool const host_view = fix == Cure::device_view && !variable.empty();
    f.fix = remedy(host_view ? Cure::device_view_or_space : fix);
    return f;
  });
}

/// What code of Kokkos' an instruction is in, remembered: lanes come again and again, and line tables have one lock.
struct Code {
  bool desul = false, launch = false;
};
Code code_at(Site site) {
  struct Known {
    Program const* program = nullptr;
    Site site{};
    Code code;
  };
  static thread_local Known table[64];
  Known& known = table[(number_of(site) ^ number_of(site) >> 6) % 64];
  if (known.program == &program() && known.site == site) return known.code;
  Code const code{has_code(KokkosCode::desul, site), has_code(KokkosCode::launch, site)};
  if (!was_look_up_lost()) known = {&program(), site, code};
  return code;
}

/// Kokkos' own work. For a launch it is host code; inside a kernel there is none, which `nesting` tells. A table of locks may
/// be one that nothing is known of but the code that comes to it.
bool is_by_kokkos(Access const& access, bool static_data) {
  auto const is = [&](Site site) {
    Code const code = code_at(site);
    return code.launch || (static_data && code.desul);
  };
  if (is(access.site)) return true;
  std::vector<Site> const callers = call_stack();
  return std::any_of(callers.begin(), callers.end(), is);
}

/// Lanes read tables and variables very often: the loader, which has one lock for all workers, is asked once a launch.
struct HostMemory {
  Program const* program = nullptr;
  std::uint64_t launch = 0;
  std::vector<Segment> const* segments = nullptr;
  Segment latest{};
  StaticSpan span;

  void begin(Team const& team) {
    std::uint64_t const number = team.launch().facts.number;
    if (program != &teamsan::program() || launch != number)
      *this = {&teamsan::program(), number, &loaded_segments(), {}, {}};
  }
  Segment const* segment_of(std::uintptr_t address) {
    if (address >= latest.begin && address < latest.end) return &latest;
    if (!find(*segments, address) && !find(loaded_segments(), address)) return nullptr;  // a library may be new
    return &latest;
  }
  bool find(std::vector<Segment> const& all, std::uintptr_t address) {
    auto const has = [&](Segment const& s) { return address >= s.begin && address < s.end; };
    auto const found = std::find_if(all.begin(), all.end(), has);
    if (found != all.end()) latest = *found;
    return found != all.end();
  }
  StaticSpan const& span_of(std::uintptr_t address) {
    if (address < span.begin || address >= span.end) span = static_span(address);
    return span;
  }
};
thread_local HostMemory host_memory;

/// Quickly, since a kernel that uses that heap comes here with each access. A replay finds what is noted here when it asks for
/// the place, below.
bool is_of_lanes_heap(Access const& access) {
  if (hot.answers != nullptr || !lane_heap::holds(access.address)) return false;
  trace::note(trace::EventKind::host_place, {}, 0, 1);
  return true;
}

/// Kokkos' own variables, and constants.
bool is_nobodys_fault(Access const& access, bool static_data) {
  // Where a replay does not know, nobody is accused.
  return trace::ask(trace::EventKind::host_place, {0, 1}, [&] {
           std::uintptr_t const a = access.address;
           if (!static_data) return std::optional(trace::Answer{0, is_thread_local_data(a) || exception_objects::holds(a)});
           DeviceVariable const of_device = device_variable_at(a);
           if (of_device == DeviceVariable::variable || (of_device == DeviceVariable::constant && !access.is_write()))
             return std::optional(trace::Answer{0, true});
           StaticSpan const& span = host_memory.span_of(a);
           return std::optional(trace::Answer{0, span.kokkos_lock || (!access.is_write() && span.may_be_constant)});
         }).detail != 0;
}

/// A number for the variable's name, the same in every run and in a replay; 0: it has none.
std::uint64_t name_number(std::uintptr_t address) {
  struct Known {
    std::uintptr_t address = 0;
    std::uint64_t number = 0;
  };
  thread_local Known recent[64];
  Known& known = recent[(address >> 3) % 64];
  if (known.address == address) return known.number;
  std::uint64_t number = 0;
  for (unsigned char const c : variable_at(address)) number = (number ^ c) * 0x100000001b3u + 1;
  known = {address, number};
  return number;
}

/// The pattern of a suppression that has its name and no other, where '#' would begin a comment, as in the name of a lambda.
std::string in_suppressions(std::string const& variable) {
  std::size_t const scope = variable.find('#') == std::string::npos ? std::string::npos : variable.rfind("::");
  return scope == std::string::npos ? fmt::format("^{}$", variable) : fmt::format("*{}$", variable.substr(scope));
}

/// One finding for a variable that a kernel reads, however many lines do, and one if it writes it.
void host_global(Team& team, Access const& access) {
  if (!options().enabled(Rule::wrong_space)) return;
  std::uint64_t const number = name_number(access.address);
  Key const key = number == 0 ? Key{Rule::wrong_space, access.site, Site{}, static_cast<std::uint64_t>(Data::Kind::host)}
                              : Key{Rule::wrong_space, Site{}, Site{}, number >> 2 | (access.is_write() ? 3ull : 2ull) << 62};
  add_finding(team, key, [&] {
    std::string const variable = number == 0 ? std::string() : variable_at(access.address);
    RawFinding f;
    f.rule = Rule::wrong_space;
    f.data.kind = Data::Kind::host;
    f.data.label = variable;
    f.data.element_bytes = access.bytes;
    f.title = fmt::format("{} of host memory by a lane", verb(access.kind));
    f.sides.push_back(running_side(team, access));
    f.why = {variable.empty() ? because(Reason::host_global) : because(Reason::host_global_named, variable)};
    bool const may_be_devices = !access.is_write() && !variable.empty();
    f.fix = may_be_devices ? remedy(Cure::pass_value_or_as_device, in_suppressions(variable)) : remedy(Cure::pass_value);
    return f;
  });
}

void host(Team& team, Access const& access) {
  if (is_of_lanes_heap(access)) return;
  host_memory.begin(team);
  Segment const* const segment = host_memory.segment_of(access.address);
  if (segment != nullptr && !segment->writable && !access.is_write()) return;
  bool const global = segment != nullptr && segment->writable;
  if (is_nobodys_fault(access, global) || is_by_kokkos(access, global)) return;
  if (device_variable_at(access.address) == DeviceVariable::constant)
    return add(team, access, Rule::wrong_space, Data::Kind::constant,
               fmt::format("{} of constant memory by a lane", verb(access.kind)), Reason::constant_is_the_hosts,
               Cure::write_constant_on_host);
  if (global) return host_global(team, access);
  add(team, access, Rule::wrong_space, Data::Kind::host, fmt::format("{} of host memory by a lane", verb(access.kind)),
      Reason::host_memory, Cure::device_view);
}

void in_scratch_region(Team& team, Access const& access) {
  Scratch& scratch = team.scratch();
  std::uintptr_t const a = access.address;
  bool const own_slot = arena::contains(scratch.begin(), arena::scratch_slot_bytes, a);
  // Where no team's pieces can lie, a wild index has come, not a pointer that was kept.
  model::Device const& device = options().model();
  std::size_t const most_of_team = device.scratch_opt_in + device.scratch_level1 + arena::MiB;
  std::uintptr_t const slot = (a - arena::scratch) / arena::scratch_slot_bytes;
  bool const of_nobody = !scratch_slots::is_in_turn(slot) && scratch_slots::is_in_turn(scratch.slot());
  bool const wild =
      a > scratch.begin() && (of_nobody || (a - arena::scratch) % arena::scratch_slot_bytes >= most_of_team);
  bool const beside = own_slot && a - scratch.begin() < scratch.extent() + arena::MiB;
  if ((!scratch.pieces().empty() && (beside || wild)) || scratch.is_before(a)) {
    out_of_bounds(team, access, {true, a, nullptr}, a);
    return;
  }
  add(team, access, Rule::stale_scratch, Data::Kind::none,
      fmt::format("{} through a scratch pointer of another team", verb(access.kind)),
      Reason::scratch_of_another_team, Cure::obtain_scratch_anew);
}

}  // namespace

void closed_allocation(Team& team, Access const& access, std::uintptr_t address, Allocation const& owner) {
  if (!options().enabled(Rule::wrong_space)) return;
  add_finding(team, Key{Rule::wrong_space, access.site, Site{}, owner.serial}, [&] {
    RawFinding f;
    f.rule = Rule::wrong_space;
    f.data = describe_global(address, access.bytes);
    f.sides.push_back(running_side(team, access));
    if (owner.host_only) {
      f.title = fmt::format("{} of a system allocation by a lane", verb(access.kind));
      f.why = {because(Reason::no_system_allocations, options().model().title)};
      f.fix = remedy(Cure::ask_for_aspect);
    } else {
      f.title = fmt::format("{} of another context's allocation by a lane", verb(access.kind));
      f.why = {because(Reason::context_of_kernel, context_name(owner.context), context_name(team.launch().context))};
      f.fix = remedy(Cure::kernels_context);
    }
    return f;
  });
}

/// By the instruction at `site`, or (none) by one that nobody saw (machine/FunctorCopy.hpp).
void write_to_functor(Team& team, Access const& access) {
  constexpr char const* title = "write to the kernel object";
  if (access.site != Site{})
    return add(team, access, Rule::wrong_space, Data::Kind::constant, title, Reason::functor_is_constant,
               Cure::results_in_views);
  if (!options().enabled(Rule::wrong_space)) return;
  add_finding(team, Key{Rule::wrong_space, Site{}, Site{}, static_cast<std::uint64_t>(Data::Kind::constant)}, [&] {
    RawFinding f;
    f.rule = Rule::wrong_space;
    f.data.kind = Data::Kind::constant;
    f.title = title;
    RawSide side;
    side.role = "launched here";
    side.callers = team.launch().facts.calls;
    f.sides.push_back(std::move(side));
    f.why = {because(Reason::functor_is_constant), because(Reason::seen_unoptimised, team.league_rank())};
    f.at_least = true;  // of the lanes that one call runs one is told
    f.fix = remedy(Cure::results_in_views);
    return f;
  });
}

void outside(Team& team, Access const& access) {
  std::uintptr_t const a = access.address;
  if (arena::contains(arena::scratch, arena::scratch_bytes, a)) {
    in_scratch_region(team, access);
  } else if (arena::contains(arena::constant, arena::constant_bytes, a)) {
    write_to_functor(team, access);
  } else if (arena::contains(arena::stacks, arena::stacks_bytes, a)) {
    add(team, access, Rule::wrong_space, Data::Kind::lane_stack,
        fmt::format("{} of another lane's local variable", verb(access.kind)),
        Reason::lane_stack_is_private, Cure::share_values);
  } else if (arena::contains(arena::program, arena::program_bytes, a)) {
    out_of_bounds(team, access, {false, a, nullptr}, a);
  } else if (team.scratch().refused_at(a) != nullptr) {
    through_refused_scratch(team, access);
  } else if (a >= 4096) {  // null pointers crash by themselves
    host(team, access);
  }
}

}  // namespace teamsan::detect
