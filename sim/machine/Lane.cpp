// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lane.hpp"

#include "../findings/Collector.hpp"
#include "CallStack.hpp"
#include "FunctorCopy.hpp"
#include "OwnValue.hpp"
#include "Spinning.hpp"
#include "RunningTeam.hpp"
#include "Scopes.hpp"
#include "UserSite.hpp"
#include "../places/Sites.hpp"
#include "../trace/Fields.hpp"
#include "../trace/TeamTrace.hpp"

#include <algorithm>
#include <cassert>

namespace teamsan {

namespace {

Site site_or(void const* site, void* return_address) {
  return site_at(site ? site : return_address);
}

}  // namespace

bool in_kernel() noexcept { return hot.lane != nullptr; }

Lane const& this_lane() noexcept { return hot.lane->lane; }

void note_lane_accesses(void const* accesses, void const* functor) noexcept {
  if (hot.lane == nullptr || hot.lane->lane.index != 0) return;
  RuntimeScope const scope;
  running_team().note_lane_accesses({static_cast<unsigned long long const*>(accesses), functor});
}

FirstStep first_step(void* value) {
  RuntimeScope const scope;
  return running_team().first_step(value);
}

namespace {

void note(void const* address, std::size_t bytes, AccessKind kind, Site site) {
  auto const a = reinterpret_cast<std::uintptr_t>(address);
  if (hot.lane == nullptr || a - hot.ignore_begin < hot.ignore_bytes) return;
  trace::note_range(kind == AccessKind::read ? trace::EventKind::note_read : trace::EventKind::note_write, a, bytes, site);
  events::construct_accessed({a, static_cast<std::uint32_t>(bytes), kind, site});
}

}  // namespace

void note_read(void const* address, std::size_t bytes, void const* site) {
  note(address, bytes, AccessKind::read, site_or(site, __builtin_return_address(0)));
}

void note_write(void const* address, std::size_t bytes, void const* site) {
  if (hot.lane == nullptr) return;
  if ((hot.lane->holds & holds::result) == 0) running_lane().results.clear();
  running_lane().results.add(reinterpret_cast<std::uintptr_t>(address), bytes);
  ResultScope const result;
  note(address, bytes, AccessKind::write, site_or(site, __builtin_return_address(0)));
}

void release(void const* point) {
  RuntimeScope const scope;
  running_team().note_release(reinterpret_cast<std::uintptr_t>(point), true);
}

void acquire(void const* point) {
  RuntimeScope const scope;
  if (hot.team->launch().atomic_order->used()) running_team().note_acquire(reinterpret_cast<std::uintptr_t>(point));
}

ResultScope::ResultScope() {
  hot.lane->storing_result = true;
  hot.lane->holds |= holds::result;
  trace::note(trace::EventKind::result_begin);
}
ResultScope::~ResultScope() {
  hot.lane->storing_result = false;
  trace::note(trace::EventKind::result_end);
}

ScopeGuard::ScopeGuard(Scope scope, void const* site, void const* own_end)
    : m_before(hot.lane->scopes), m_outer_frames(hot.outer_frames) {
  if (scope != Scope::single_per_thread && scope != Scope::kernel)
    hot.lane->stack.outer_frames = hot.outer_frames =
        std::max(reinterpret_cast<std::uintptr_t>(this + 1), reinterpret_cast<std::uintptr_t>(own_end));
  if (hot.trace_next != nullptr) [[unlikely]]
    trace::note(trace::EventKind::scope_enter, site_or(site, __builtin_return_address(0)), 0, static_cast<unsigned>(scope));
  if (scopes::may_not_enter(m_before, scope)) [[unlikely]] {
    RuntimeScope const runtime;
    events::scope_entered(*hot.team, m_before, scope, site_or(site, __builtin_return_address(0)));
  }
  hot.lane->scopes = m_before | scopes::bit(scope);
  if (hot.counts()) [[unlikely]] running_team().warp_log()->enter_scope(scope, site_or(site, __builtin_return_address(0)));
  enter_call(site_or(site, __builtin_return_address(0)));
}

ScopeGuard::~ScopeGuard() {
  leave_call();
  hot.lane->scopes = m_before;
  hot.lane->stack.outer_frames = hot.outer_frames = m_outer_frames;
  trace::note(trace::EventKind::scope_leave, {}, m_before);
}

void tell_threads_apart() noexcept {
  if (hot.lane != nullptr) hot.lane->holds |= holds::thread_value;
}

void* obtain_scratch(ScratchRequest const& request, void const* site) {
  // Not optimised, Kokkos' constructors of Views are functions of their own.
  Site const at = user_site(site_or(site, __builtin_return_address(0)));
  RuntimeScope const scope;
  RunningTeam& team = running_team();
  if (hot.trace_next != nullptr) trace::note_defined(trace::EventKind::scratch, at, trace::definition_of(request));
  std::size_t const offset = scratch_misalignment(request.level, request.per_thread, request.thread) + request.begin +
                             (request.per_thread ? request.thread * request.bytes : 0);
  ScratchPiece const& piece = team.scratch().obtain(request.level, request.per_thread, request.thread, offset,
                                                    request.bytes, request.alignment, at);
  team.refresh_ranges();
  return reinterpret_cast<void*>(piece.begin);
}

void refuse_scratch(ScratchRequest const& request, void const* site) {
  Site const at = user_site(site_or(site, __builtin_return_address(0)));
  RuntimeScope const scope;
  if (hot.trace_next != nullptr)
    trace::note_defined(trace::EventKind::scratch, at, trace::definition_of(request), traces::scratch_refused);
  Scratch& scratch = hot.team->scratch();
  if (scratch.has_refused(request, at)) return;
  scratch.refuse({request, hot.lane->lane.index, at, call_stack()});
}

void name_scratch(void const* address, std::string_view name, Shape const& shape) {
  RuntimeScope const scope;
  if (hot.trace_next != nullptr) {
    trace::note_defined(trace::EventKind::name, {}, trace::definition_of(name, shape));
    trace::note(trace::EventKind::name_at, {}, reinterpret_cast<std::uintptr_t>(address));
  }
  hot.team->scratch().name(reinterpret_cast<std::uintptr_t>(address), name, shape);
}

void remark(std::string_view sentence, void const* site) {
  Site const at = site_or(site, __builtin_return_address(0));
  RuntimeScope const scope;
  Team& team = *hot.team;
  if (team.checked()) Collector::instance().remark(user_site(at), team.launch().facts.config.label, sentence);
}

std::size_t scratch_misalignment(int level, bool, std::uint32_t) {
  // Level 0 lies behind the area for reductions: 8 * (team_size + 2) bytes (Kokkos_Cuda_Parallel_Team.hpp).
  return level == 0 ? 8 * (hot.lane->lane.team_size + std::size_t{2}) % 256 : 0;
}

CallFrom::CallFrom(void const* site) {
  if (hot.lane == nullptr) return;
  trace::note(trace::EventKind::call, site_at(site));
  enter_call(site_at(site));
}

CallFrom::~CallFrom() {
  if (hot.lane == nullptr) return;
  trace::note(trace::EventKind::leave);
  leave_call();
}

NoSwitch::NoSwitch() {
  if (hot.lane == nullptr) return;
  ++hot.lane->no_switch;
  trace::note(trace::EventKind::no_switch_begin);
}

NoSwitch::~NoSwitch() {
  if (hot.lane == nullptr) return;
  --hot.lane->no_switch;
  trace::note(trace::EventKind::no_switch_end);
}

void yield_lane() {
  if (hot.lane == nullptr) return;
  Site const site = TEAMSAN_CALL;
  trace::note(trace::EventKind::yield, site);
  spinning(site, true);
}

void spinning(Site site, bool atomic) {
  RuntimeScope const scope;
  running_lane().waits.site = site;
  running_team().yield(atomic ? Repetition::atomic : Repetition::plain);
}

void polling(Site site, Polls::Word const& word) {
  RuntimeScope const scope;
  running_lane().waits.site = site;
  running_team().yield(Repetition::atomic, &word);
}

void note_own_value(std::uintptr_t address, std::uint32_t bytes, Site site) {
  if (functor_copy.has(address)) return note_functor_store(address, bytes, site);
  if (functor_copy.begin != 0) return;
  hot.lane->holds |= holds::thread_value | ((hot.lane->scopes & scopes::of_lanes) != 0 ? holds::lane_value : 0);
  hot.outer_frames = ~std::uintptr_t{0};  // said once
}

void take_a_break() {
  RuntimeScope const scope;
  running_team().yield(Repetition::unseen);
}

}  // namespace teamsan
