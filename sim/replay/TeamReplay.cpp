#include <teamsan/sim/replay/TeamReplay.hpp>

#include <teamsan/sim/base/Arena.hpp>
#include <teamsan/sim/base/ExitStatus.hpp>
#include <teamsan/sim/base/Synchronisation.hpp>
#include <teamsan/sim/detect/Crash.hpp>
#include <teamsan/sim/detect/Nesting.hpp>
#include <teamsan/sim/detect/TeamChecks.hpp>
#include <teamsan/sim/machine/CallStack.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/process/Exit.hpp>
#include <teamsan/sim/replay/Admission.hpp>
#include <teamsan/sim/replay/Replay.hpp>
#include <teamsan/sim/runtime/Access.hpp>
#include <teamsan/sim/runtime/Atomics.hpp>
#include <teamsan/sim/trace/Fields.hpp>

extern "C" {
void __tsan_func_entry(void* call_site);
void __tsan_func_exit();
}

namespace teamsan::trace {

using namespace traces;

namespace {

/// Another lane's stack lies elsewhere now, perhaps where this lane's does: it stands at the end of all stacks.
std::uintptr_t place_now(std::uintptr_t address) {
  if (!arena::contains(arena::stacks, arena::stacks_bytes, address)) return address;
  return arena::stacks + arena::stacks_bytes - 4096 + address % 4096;
}

void read(unsigned log_bytes, std::uintptr_t address, std::uintptr_t pc) {
  auto const p = reinterpret_cast<void*>(place_now(address));
  switch (log_bytes) {
    case 0: return on_read<1>(p, pc);
    case 1: return on_read<2>(p, pc);
    case 2: return on_read<4>(p, pc);
    case 3: return on_read<8>(p, pc);
    case 4: return on_read<16>(p, pc);
  }
}

void write(unsigned log_bytes, std::uintptr_t address, std::uintptr_t pc) {
  auto const p = reinterpret_cast<void*>(place_now(address));
  switch (log_bytes) {
    case 0: return on_write<1>(p, pc);
    case 1: return on_write<2>(p, pc);
    case 2: return on_write<4>(p, pc);
    case 3: return on_write<8>(p, pc);
    case 4: return on_write<16>(p, pc);
  }
}

/// The address of an access: all of its bytes lie where the first does. Addresses elsewhere have no shadow.
void admit(std::uintptr_t address, unsigned log_bytes) {
  if (address - arena::global < arena::global_bytes && arena::global + arena::global_bytes - address < 1u << log_bytes)
    throw TraceError("an access that leaves the simulated GPU's memory");
}

void note_access_again(AccessKind kind, std::uintptr_t address, std::uint64_t bytes, std::uintptr_t pc) {
  checked_access({place_now(address), static_cast<std::uint32_t>(bytes), kind, pc}, true);
}

}  // namespace

void TeamReplay::begin(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes, Position first) {
  m_launch = launch;
  m_league_rank = league_rank;
  m_next = first;
  m_last_piece = false;
  m_decoder.begin();
  m_lanes.assign(lanes, {});
}

bool TeamReplay::decode(std::uint32_t& lane, Event& event) {
  try {
    if (++m_decoded == steps_at_once) {
      m_decoded = 0;
      admission().spend(steps_at_once);
    }
    while (!m_decoder.next(lane, event)) {
      if (m_last_piece || !read_piece(m_launch, m_league_rank, m_next, m_piece, m_last_piece)) return false;
      m_decoder.feed(m_piece);
    }
    if (lane >= m_lanes.size()) throw TraceError("a lane that its team does not have");
    return true;
  } catch (TraceError const& error) {
    note_damage(error);
    return false;
  }
}

Event const* TeamReplay::peek(std::uint32_t lane) {
  RuntimeScope const scope;  // no step of the lane's
  LaneEvents& own = m_lanes[lane];
  if (damaged()) return nullptr;
  while (own.waiting.empty()) {
    std::uint32_t whose = 0;
    Event event;
    if (!decode(whose, event)) return nullptr;
    m_lanes[whose].waiting.push_back(event);
  }
  return &own.waiting.front();
}

bool TeamReplay::take(EventKind kind, Event& event) {
  std::uint32_t const lane = hot.lane->lane.index;
  Event const* const next = peek(lane);
  if (next == nullptr || next->kind() != kind) return false;
  event = *next;
  m_lanes[lane].waiting.pop_front();
  return true;
}

bool TeamReplay::next(EventKind kind, Answer& answer) {
  Event event;
  if (!take(kind, event)) return false;
  answer = {event.operand, event.detail()};
  return true;
}

void TeamReplay::run_lane(Team& team, Lane const& lane) {
  LaneEvents& own = m_lanes[lane.index];
  std::uintptr_t pc = 0;
  try {
    while (Event const* const next = peek(lane.index)) {
      Event const event = *next;
      own.waiting.pop_front();
      if (event.pc() != 0) pc = event.pc();
      if (!carry_out(team, own, event)) return;
    }
    if (!damaged() && hot.lane->no_switch != 0) throw TraceError("a lane that holds up its team and does not end");
  } catch (TraceError const& error) {  // no exception of the kernel's
    note_damage(error);
  }
  // The lane never ended: its team was given up.
  while (!damaged()) spinning(pc, true);
}

/// False: the lane is done.
bool TeamReplay::carry_out(Team& team, LaneEvents& own, Event const& event) {
  LaneState& state = *hot.lane;
  std::uintptr_t const pc = event.pc();
  auto const pointer = reinterpret_cast<void*>(event.operand);
  auto const site = reinterpret_cast<void const*>(pc);
  switch (event.kind()) {
    case EventKind::none:
      break;
    case EventKind::read:
      admit(event.operand, event.detail());
      read(event.detail(), event.operand, pc);
      break;
    case EventKind::write:
      admit(event.operand, event.detail());
      write(event.detail(), event.operand, pc);
      break;
    case EventKind::extent:
      own.extent = event.operand;
      break;
    case EventKind::range_read:
      admission().check_range(event.operand, own.extent);
      access_range(place_now(event.operand), own.extent, AccessKind::read, pc);
      break;
    case EventKind::range_write:
      admission().check_range(event.operand, own.extent);
      access_range(place_now(event.operand), own.extent, AccessKind::write, pc);
      break;
    case EventKind::note_read:
      admission().check_range(event.operand, own.extent);
      note_access_again(AccessKind::read, event.operand, own.extent, pc);
      break;
    case EventKind::note_write:
      admission().check_range(event.operand, own.extent);
      note_access_again(AccessKind::write, event.operand, own.extent, pc);
      break;
    case EventKind::atomic: {
      AtomicDetail const detail = AtomicDetail::of(event.detail());
      admit(event.operand, detail.log_bytes);
      own.atomic_address = place_now(event.operand);
      own.atomic_bytes = 1u << detail.log_bytes;
      begin_atomic(own.atomic_address, detail.log_bytes, static_cast<model::Operation>(detail.operation),
                   pc, detail.updates, static_cast<model::AtomicKind>(detail.atomic));
      break;
    }
    case EventKind::before:
      own.before = event.operand;
      break;
    case EventKind::after:
      if (own.atomic_bytes == 0) throw TraceError("a lane sees what no atomic of its own left");
      team.checks().lane_redundant.note(team, own.atomic_address, own.atomic_bytes, own.before, event.operand, pc);
      break;
    case EventKind::effect:
      if (event.detail() == lock_left || event.detail() == lock_left_by_load)
        left_kokkos_lock(event.detail() == lock_left_by_load, pc);
      else
        end_atomic(event.detail() != 0, pc);
      break;
    case EventKind::meet:
      if (std::uint32_t const now = meeting_now(event.detail()); now < synchronisation_count())
        meet(static_cast<Meeting>(now), nullptr, nullptr, nullptr, site);
      break;
    case EventKind::scope_enter: {
      admission().check_scope(event.detail());
      auto const scope = static_cast<Scope>(event.detail());
      RuntimeScope const runtime;
      if (state.scopes != 0 || scope == Scope::kernel) detect::check_scope_nesting(team, state.scopes, scope, pc);
      state.scopes |= 1u << event.detail();
      enter_call(pc);
      break;
    }
    case EventKind::scope_leave:
      if (event.operand >> (static_cast<unsigned>(Scope::single_per_thread) + 1) != 0)
        throw TraceError("a lane is left in scopes that there are not");
      state.scopes = static_cast<std::uint32_t>(event.operand);
      leave_call();
      break;
    case EventKind::scratch: {
      RuntimeScope const scope;
      ScratchRequest const request = scratch_request_of(m_decoder.definition(event.operand));
      if (event.detail() == scratch_refused) {
        refuse_scratch(request, site);
        break;
      }
      admission().check_scratch(request, state.lane.team_size);
      obtain_scratch(request, site);
      break;
    }
    case EventKind::name:
      own.name = event.operand;
      break;
    case EventKind::name_at: {
      RuntimeScope const scope;
      ScratchName const name = scratch_name_of(m_decoder.definition(own.name));
      name_scratch(pointer, name.name, name.shape);
      break;
    }
    case EventKind::release: {
      RuntimeScope const scope;
      team.note_release(event.operand, event.detail() != 0);
      break;
    }
    case EventKind::acquire: {
      RuntimeScope const scope;
      team.note_acquire(event.operand, true);
      break;
    }
    case EventKind::result_begin:
      state.storing_result = true;
      break;
    case EventKind::result_end:
      state.storing_result = false;
      break;
    case EventKind::no_switch_begin:
      if (++state.no_switch == 0) throw TraceError("a lane holds up its team too often");
      break;
    case EventKind::no_switch_end:
      if (state.no_switch == 0) throw TraceError("a lane lets go of its team, which it does not hold up");
      --state.no_switch;
      break;
    case EventKind::yield:
      spinning(pc, true);
      break;
    case EventKind::fence: {
      RuntimeScope const scope;
      team.note_fence();
      break;
    }
    case EventKind::call:
      __tsan_func_entry(reinterpret_cast<void*>(pc));
      break;
    case EventKind::leave:
      __tsan_func_exit();
      break;
    case EventKind::threw: {
      LaneEnd const end = lane_end_of(m_decoder.definition(event.operand));
      state.throw_site = end.pc;
      state.throw_callers = end.callers;
      detect::lane_threw(team, end.known ? end.what.c_str() : nullptr);
      break;
    }
    case EventKind::crash: {
      LaneEnd const end = lane_end_of(m_decoder.definition(event.operand));
      ++hot.in_runtime;
      detect::commit_crashed(team, {end.what, end.why, end.fix, end.pc, end.has_address, end.address, end.callers});
      end_program(true, exit_success);
    }
    case EventKind::end:
      own.ended = true;
      return false;
    case EventKind::same_values:
    case EventKind::ordered:
    case EventKind::host_place:
    case EventKind::unseen_store:
      break;  // nobody asked
  }
  return true;
}

}  // namespace teamsan::trace
