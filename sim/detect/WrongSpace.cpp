// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// wrong-space and stale-scratch, seen from a lane: memory that this lane, or any lane, must not touch. Host memory is
/// everything outside the arena; constants of the program and thread-local variables of Kokkos are left aside, and so
/// are the lock tables behind Kokkos' atomics on large types, and reads of what Clang keeps in writable memory without a
/// symbol. Memory that a lane takes from malloc counts as host memory, though CUDA has a heap for lanes.
#include <teamsan/sim/detect/Checker.hpp>

#include <teamsan/model/device/Device.hpp>
#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/findings/Sentences.hpp>
#include <teamsan/sim/machine/CallStack.hpp>
#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/places/KokkosNames.hpp>
#include <teamsan/sim/places/Modules.hpp>
#include <teamsan/sim/places/Program.hpp>
#include <teamsan/sim/places/StaticData.hpp>
#include <teamsan/sim/places/Symbolizer.hpp>
#include <teamsan/sim/trace/Answers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace teamsan::detect {

namespace {

void add(Team& team, Access const& access, Rule rule, Data::Kind kind, std::string title, Reason why, Cure fix) {
  if (!options().enabled(rule)) return;
  add_finding(team, Key{rule, access.pc, 0, static_cast<std::uint64_t>(kind)}, [&] {
    RawFinding f;
    f.rule = rule;
    f.data.kind = kind;
    f.data.element_bytes = access.bytes;
    f.title = std::move(title);
    f.sides.push_back(running_side(team, access));
    std::string const variable = kind == Data::Kind::host ? variable_at(access.address) : "";
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

/// The table of locks behind Kokkos' atomics on types without hardware atomics is Kokkos' business: also one that nothing is
/// known of but the code that comes to it.
bool is_for_a_lock(Access const& access) {
  if (!is_static_data(access.address)) return false;
  if (has_code(KokkosCode::desul, access.pc)) return true;
  for (std::uintptr_t const caller : call_stack())
    if (has_code(KokkosCode::desul, caller)) return true;
  return false;
}

/// Kokkos' own work, host code, for a launch. Inside a kernel there is none, which `nesting` tells.
bool is_for_a_launch(Access const& access) {
  auto const launches = [](std::uintptr_t pc) { return has_code(KokkosCode::launch, pc); };
  std::vector<std::uintptr_t> const callers = call_stack();
  return launches(access.pc) || std::any_of(callers.begin(), callers.end(), launches);
}

/// Lanes read tables of constants very often: the loader, which has one lock for all workers, is asked once a launch.
bool is_constant(Team const& team, std::uintptr_t address) {
  struct Known {
    Program const* program = nullptr;
    std::uint64_t launch = 0;
    std::vector<Segment> const* segments = nullptr;
    Segment latest{};
    bool has(std::uintptr_t a) const { return a >= latest.begin && a < latest.end; }
  };
  static thread_local Known known;
  std::uint64_t const launch = team.launch().facts.number;
  if (known.program != &program() || known.launch != launch) known = {&program(), launch, &loaded_segments(), {}};
  if (known.has(address)) return true;
  for (Segment const& s : *known.segments)
    if (!s.writable && address >= s.begin && address < s.end) {
      known.latest = s;
      return true;
    }
  return is_read_only_data(address);  // of a library that was loaded meanwhile
}

/// Kokkos' own variables, and constants.
bool is_nobodys_fault(Access const& access) {
  // Where a replay does not know, nobody is accused.
  return trace::ask(trace::EventKind::host_place, {0, 1}, [&] {
           std::uintptr_t const a = access.address;
           DeviceVariable const of_device = device_variable_at(a);
           bool const fine = of_device == DeviceVariable::variable ||
                             (of_device == DeviceVariable::constant && !access.is_write()) || is_thread_local_data(a) ||
                             is_kokkos_lock(a) ||
                             (!access.is_write() && is_static_data(a) && may_be_compilers_constant(a));
           return std::optional(trace::Answer{0, fine});
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

/// One finding for a variable that a kernel reads, however many lines do, and one if it writes it.
void host_global(Team& team, Access const& access) {
  if (!options().enabled(Rule::wrong_space)) return;
  std::uint64_t const number = name_number(access.address);
  Key const key = number == 0 ? Key{Rule::wrong_space, access.pc, 0, static_cast<std::uint64_t>(Data::Kind::host)}
                              : Key{Rule::wrong_space, 0, access.is_write() ? 1u : 0u, number};
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
    f.fix = remedy(access.is_write() || variable.empty() ? Cure::pass_value : Cure::pass_value_or_as_device);
    return f;
  });
}

void in_scratch_region(Team& team, Access const& access) {
  Scratch& scratch = team.scratch();
  std::uintptr_t const a = access.address;
  bool const own_slot = arena::contains(scratch.begin(), arena::scratch_slot_bytes, a);
  // Where no team's pieces can lie, a wild index has come, not a pointer that was kept.
  model::Device const& device = options().model();
  std::size_t const most_of_team = device.scratch_opt_in + device.scratch_level1 + arena::MiB;
  bool const wild = a > scratch.begin() && (a - arena::scratch) % arena::scratch_slot_bytes >= most_of_team;
  bool const beside = own_slot && a - scratch.begin() < scratch.extent() + arena::MiB;
  if (!scratch.pieces().empty() && (beside || wild)) {
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
  add_finding(team, Key{Rule::wrong_space, access.pc, 0, owner.serial}, [&] {
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

/// By the instruction at `pc`, or (0) by one that nobody saw (machine/FunctorCopy.hpp).
void write_to_functor(Team& team, Access const& access) {
  constexpr char const* title = "write to the kernel object";
  if (access.pc != 0)
    return add(team, access, Rule::wrong_space, Data::Kind::constant, title, Reason::functor_is_constant,
               Cure::results_in_views);
  if (!options().enabled(Rule::wrong_space)) return;
  add_finding(team, Key{Rule::wrong_space, 0, 0, static_cast<std::uint64_t>(Data::Kind::constant)}, [&] {
    RawFinding f;
    f.rule = Rule::wrong_space;
    f.data.kind = Data::Kind::constant;
    f.title = title;
    RawSide side;
    side.role = "launched here";
    side.callers = team.launch().facts.calls;
    f.sides.push_back(std::move(side));
    f.why = {because(Reason::functor_is_constant), because(Reason::seen_unoptimised, team.league_rank())};
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
  } else if (arena::contains(arena::base, arena::program_bytes, a)) {
    out_of_bounds(team, access, {false, a, nullptr}, a);
  } else if (team.scratch().refused_at(a) != nullptr) {
    through_refused_scratch(team, access);
  } else if (a < 4096 || (!access.is_write() && is_constant(team, a)) || is_nobodys_fault(access) || is_for_a_lock(access) ||
             is_for_a_launch(access)) {
    return;  // null pointers crash by themselves
  } else if (device_variable_at(a) == DeviceVariable::constant) {
    add(team, access, Rule::wrong_space, Data::Kind::constant,
        fmt::format("{} of constant memory by a lane", verb(access.kind)),
        Reason::constant_is_the_hosts, Cure::write_constant_on_host);
  } else if (is_static_data(a)) {
    host_global(team, access);
  } else {
    add(team, access, Rule::wrong_space, Data::Kind::host, fmt::format("{} of host memory by a lane", verb(access.kind)),
        Reason::host_memory, Cure::device_view);
  }
}

}  // namespace teamsan::detect
