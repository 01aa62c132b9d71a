// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneReplay.hpp"

#include "../../base/Arena.hpp"
#include "../../base/ExitStatus.hpp"
#include "../../base/Synchronisation.hpp"
#include "../../detect/Crash.hpp"
#include "../../detect/Handovers.hpp"
#include "../../detect/LibraryCalls.hpp"
#include "../../detect/TeamChecks.hpp"
#include "../../machine/CallStack.hpp"
#include "../../machine/RunningTeam.hpp"
#include "../../machine/UserSite.hpp"
#include "../../places/AtomicCode.hpp"
#include "../../process/Exit.hpp"
#include "ReplayedTrace.hpp"
#include "../../check/Atomics.hpp"
#include "../../check/Functions.hpp"
#include "../../check/LockedCells.hpp"
#include "../../check/Watched.hpp"
#include "../../trace/Fields.hpp"
#include "../../../traces/EventVisit.hpp"

namespace teamsan::trace {

using namespace traces;

namespace {

/// Another lane's stack lies elsewhere now, perhaps where this lane's does: it stands at the end of all stacks.
std::uintptr_t place_now(std::uintptr_t address) {
  if (!arena::contains(arena::stacks, arena::stacks_bytes, address)) return address;
  return arena::stacks + arena::stacks_bytes - 4096 + address % 4096;
}

void read(unsigned log_bytes, std::uintptr_t address, Site site) {
  auto const p = reinterpret_cast<void*>(place_now(address));
  switch (log_bytes) {
    case 0: return on_read<1>(p, site);
    case 1: return on_read<2>(p, site);
    case 2: return on_read<4>(p, site);
    case 3: return on_read<8>(p, site);
    case 4: return on_read<16>(p, site);
  }
}

void write(unsigned log_bytes, std::uintptr_t address, Site site) {
  auto const p = reinterpret_cast<void*>(place_now(address));
  switch (log_bytes) {
    case 0: return on_write<1>(p, site);
    case 1: return on_write<2>(p, site);
    case 2: return on_write<4>(p, site);
    case 3: return on_write<8>(p, site);
    case 4: return on_write<16>(p, site);
  }
}

/// A trace does not say when a lane takes one of Kokkos' locks: whatever is under one is done while it holds one.
class HeldLock {
 public:
  explicit HeldLock(Site site) : m_held(detect::is_under_kokkos_lock(site)) {
    if (m_held) take_kokkos_lock();
  }
  ~HeldLock() {
    if (m_held) leave_kokkos_lock();
  }
  HeldLock(HeldLock const&) = delete;
  HeldLock& operator=(HeldLock const&) = delete;

 private:
  bool m_held;
};

/// The address of an access: all of its bytes lie where the first does. Addresses elsewhere have no shadow.
void admit(std::uintptr_t address, unsigned log_bytes) {
  if (address - arena::global < arena::global_bytes && arena::global + arena::global_bytes - address < 1u << log_bytes)
    throw TraceError("an access that leaves the simulated GPU's memory");
}

}  // namespace

/// One function for each kind of event.
struct LaneReplay::Visitor {
  LaneReplay& lane;
  RunningTeam& team;
  ReplayedTrace& trace;
  EventDecoder const& definitions;
  LaneState& state = running_lane();

  Admission& admission() const { return trace.admission(); }

  /// In the program the atomics around it have done that: a trace has those by the user's calls.
  void note_user(Site site) const {
    if (detect::is_atomic_code(site)) detect::note_library_call(team, site, users_call(site));
  }

  void operator()(EventOf<EventKind::none> const&) const {}

  void operator()(EventOf<EventKind::read> const& e) const {
    admit(e.operand, e.detail());
    note_user(e.site());
    HeldLock const held(e.site());
    read(e.detail(), e.operand, e.site());
  }
  void operator()(EventOf<EventKind::write> const& e) const {
    admit(e.operand, e.detail());
    note_user(e.site());
    HeldLock const held(e.site());
    write(e.detail(), e.operand, e.site());
  }

  void operator()(EventOf<EventKind::extent> const& e) const { lane.m_extent = e.operand; }
  void operator()(EventOf<EventKind::range_read> const& e) const { range(e, AccessKind::read); }
  void operator()(EventOf<EventKind::range_write> const& e) const { range(e, AccessKind::write); }
  void range(Event const& e, AccessKind kind) const {
    admission().check_range(e.operand, lane.m_extent);
    note_user(e.site());
    HeldLock const held(e.site());
    access_range(place_now(e.operand), lane.m_extent, kind, e.site());
  }
  void operator()(EventOf<EventKind::note_read> const& e) const { note(e, AccessKind::read); }
  void operator()(EventOf<EventKind::note_write> const& e) const { note(e, AccessKind::write); }
  void note(Event const& e, AccessKind kind) const {
    admission().check_range(e.operand, lane.m_extent);
    checked_access({place_now(e.operand), static_cast<std::uint32_t>(lane.m_extent), kind, e.site()}, true);
  }

  void operator()(EventOf<EventKind::deed> const& e) const {
    begin(e);
    pass_over_answers();
    AtomicOutcome const outcome = e.outcome();
    if (outcome.released) release(e.operand, outcome.by_order);
    if (outcome.acquired) acquire(e.operand);
    if (outcome.handed_over) hand_over(e, outcome.handover);
    using enum AtomicOutcome::Effect;
    switch (outcome.effect) {
      case untold: return;
      case none: return end_atomic(false, e.site());
      case changed: return end_atomic(true, e.site());
      case lock_left: return left_kokkos_lock(false, e.site());
      case lock_left_by_load: return left_kokkos_lock(true, e.site());
    }
  }
  void operator()(EventOf<EventKind::atomic> const& e) const { begin(e); }
  void begin(Event const& e) const {
    AtomicDeed deed = e.deed();
    admit(deed.address, deed.log_bytes);
    deed.address = place_now(deed.address);
    lane.m_atomic_address = deed.address;
    lane.m_atomic_bytes = deed.bytes();
    begin_atomic(deed);
  }
  void operator()(EventOf<EventKind::before> const& e) const { lane.m_before = e.operand; }
  void operator()(EventOf<EventKind::after> const& e) const {
    if (lane.m_atomic_bytes == 0) throw TraceError("a lane sees what no atomic of its own left");
    detect::note_repeatable_update(team, lane.m_atomic_address, lane.m_atomic_bytes, lane.m_before, e.operand, e.site());
  }
  void operator()(EventOf<EventKind::effect> const& e) const {
    if (e.detail() == lock_left || e.detail() == lock_left_by_load)
      left_kokkos_lock(e.detail() == lock_left_by_load, e.site());
    else
      end_atomic(e.detail() != 0, e.site());
  }
  /// Of what the atomic's beginning asked in the run, a replay with other options may have asked less.
  void pass_over_answers() const {
    if (hot.answers == nullptr) return;
    Answer unasked;
    for (EventKind const kind : {EventKind::ordered, EventKind::unseen_store, EventKind::host_place})
      while (hot.answers->next(kind, unasked)) {
      }
  }
  void operator()(EventOf<EventKind::release> const& e) const { release(e.operand, e.detail() != 0); }
  void release(std::uint64_t address, bool by_order) const {
    RuntimeScope const scope;
    team.note_release(address, by_order);
  }
  void operator()(EventOf<EventKind::acquire> const& e) const { acquire(e.operand); }
  void acquire(std::uint64_t address) const {
    RuntimeScope const scope;
    team.note_acquire(address, true);
  }
  void operator()(EventOf<EventKind::handover> const& e) const { hand_over(e, e.detail()); }
  void hand_over(Event const& e, std::uint32_t how) const {
    RuntimeScope const scope;
    detect::note_handover_again(team, e.operand, e.site(), detect::HandoverDeed::of(how));
  }
  void operator()(EventOf<EventKind::fence> const&) const {
    RuntimeScope const scope;
    team.note_fence();
  }

  void operator()(EventOf<EventKind::meet> const& e) const {
    if (std::uint32_t const now = trace.meeting_now(e.detail()); now < synchronisation_count())
      meet(static_cast<Meeting>(now), nullptr, nullptr, nullptr, site(e), static_cast<Join>(e.operand & 3));
  }
  void operator()(EventOf<EventKind::scope_enter> const& e) const {
    admission().check_scope(e.detail());
    auto const entered = static_cast<Scope>(e.detail());
    RuntimeScope const runtime;
    if (state.scopes != 0 || entered == Scope::kernel) events::scope_entered(team, state.scopes, entered, e.site());
    state.scopes |= 1u << e.detail();
    if (hot.counts()) team.warp_log()->enter_scope(entered, e.site());
    enter_call(e.site());
  }
  void operator()(EventOf<EventKind::scope_leave> const& e) const {
    if (e.operand >> (static_cast<unsigned>(Scope::single_per_thread) + 1) != 0)
      throw TraceError("a lane is left in scopes that there are not");
    state.scopes = static_cast<std::uint32_t>(e.operand);
    leave_call();
  }
  void operator()(EventOf<EventKind::result_begin> const&) const {
    state.storing_result = true;
    state.holds |= holds::result;
  }
  void operator()(EventOf<EventKind::result_end> const&) const { state.storing_result = false; }

  void operator()(EventOf<EventKind::scratch> const& e) const {
    RuntimeScope const scope;
    ScratchRequest const request = scratch_request_of(definitions.definition(e.operand));
    if (e.detail() == scratch_refused) return refuse_scratch(request, site(e));
    admission().check_scratch(request, state.lane.team_size);
    obtain_scratch(request, site(e));
  }
  void operator()(EventOf<EventKind::name> const& e) const { lane.m_name = e.operand; }
  void operator()(EventOf<EventKind::name_at> const& e) const {
    RuntimeScope const scope;
    ScratchName const name = scratch_name_of(definitions.definition(lane.m_name));
    name_scratch(reinterpret_cast<void*>(e.operand), name.name, name.shape);
  }

  void operator()(EventOf<EventKind::no_switch_begin> const&) const {
    if (++state.no_switch == 0) throw TraceError("a lane holds up its team too often");
  }
  void operator()(EventOf<EventKind::no_switch_end> const&) const {
    if (state.no_switch == 0) throw TraceError("a lane lets go of its team, which it does not hold up");
    --state.no_switch;
  }
  void operator()(EventOf<EventKind::yield> const& e) const { spinning(e.site(), true); }

  void operator()(EventOf<EventKind::call> const& e) const { enter_function(number_of(e.site())); }
  void operator()(EventOf<EventKind::leave> const&) const { leave_function(); }
  void operator()(EventOf<EventKind::threw> const& e) const {
    LaneEnd const end = lane_end_of(definitions.definition(e.operand));
    state.thrown = std::make_unique<ThrowPlace>(ThrowPlace{end.site, end.callers});
    events::threw(team, end.known ? end.what.c_str() : nullptr);
  }
  void operator()(EventOf<EventKind::crash> const& e) const {
    LaneEnd const end = lane_end_of(definitions.definition(e.operand));
    ++hot.in_runtime;
    detect::commit_crashed(team, {end.what, end.why, end.fix, end.site, end.has_address, end.address, end.callers});
    end_program(true, exit_success);
  }
  void operator()(EventOf<EventKind::own_array> const& e) const {
    RuntimeScope const scope;
    events::left_own_array(team, own_array_of(definitions.definition(e.operand)), e.site());
  }
  void operator()(EventOf<EventKind::own_gone> const& e) const {
    RuntimeScope const scope;
    events::read_what_is_gone(team, definitions.definition(e.operand), e.detail(), e.site());
  }
  void operator()(EventOf<EventKind::virtual_call> const& e) const {
    RuntimeScope const scope;
    events::called_virtual(team, e.operand, e.detail() != 0, e.site());
  }
  void operator()(EventOf<EventKind::end> const&) const { lane.m_ended = true; }

  // Answers that nobody asked for.
  void operator()(EventOf<EventKind::same_values> const&) const {}
  void operator()(EventOf<EventKind::ordered> const&) const {}
  void operator()(EventOf<EventKind::host_place> const&) const {}
  void operator()(EventOf<EventKind::unseen_store> const&) const {}

 private:
  /// A pointer that stands for it, as constructs take places.
  static void* site(Event const& e) { return reinterpret_cast<void*>(std::uintptr_t{number_of(e.site())}); }
};

void LaneReplay::carry_out(Event const& event, RunningTeam& team, ReplayedTrace& trace, EventDecoder const& definitions) {
  visit(event, Visitor{*this, team, trace, definitions});
}

}  // namespace teamsan::trace
