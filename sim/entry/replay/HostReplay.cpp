// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostReplay.hpp"

#include "../../detect/MissingFence.hpp"
#include "../../findings/Collector.hpp"
#include "../../host/HostMisuse.hpp"
#include "../../host/Launch.hpp"
#include "../../host/Leaks.hpp"
#include "../../host/Limit.hpp"
#include "../../host/Memory.hpp"
#include "../../host/NextAllocation.hpp"
#include "../../host/Usm.hpp"
#include "../../machine/RunningTeam.hpp"
#include "../../memory/Allocations.hpp"
#include "../../memory/GlobalShadow.hpp"
#include "../../memory/Heap.hpp"
#include "../../memory/Migration.hpp"
#include "DeviceLimits.hpp"
#include "TeamReplay.hpp"
#include "../../check/Access.hpp"
#include "../../trace/Fields.hpp"
#include "../../../traces/RecordVisit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace teamsan::trace {

using namespace traces;

namespace {

void replay_lane(void const*, Lane const& lane) {
  RunningTeam& team = running_team();
  if (team.checked()) static_cast<TeamReplay*>(team.script())->run_lane(team, lane);
}

}  // namespace

HostReplay::HostReplay(ReplayedTrace& trace) : m_trace(trace) {
  m_trace.program().ask_for_stack([this] { return stack_now(); });
}

void HostReplay::run() {
  m_next = m_trace.begin();
  for (TraceRecord record; !m_trace.damaged() && m_trace.read(m_next, record);) {
    m_next_stack = m_next;
    // Records of kernels come here too, and are the teams'.
    if (!m_trace.program().learn(record)) visit(record, *this);
  }
  m_trace.note_damage_of_file();
}

void HostReplay::operator()(AllocateRecord const& a) {
  m_trace.admission().check(a);
  auto const space = static_cast<Space>(a.space);
  try {
    if (!a.system) check_memory_limit(space, a.bytes - a.header_bytes, a.label);
  } catch (OutOfMemory const&) {  // it is a finding; another device's run went on
  }
  if (a.address == 0) return;
  std::size_t const bytes = a.bytes - a.header_bytes;
  if (Shape const shape = shape_of(a.shape); shape.known()) shape_next_allocation(shape, bytes / shape.element_bytes);
  Shape const shape = take_next_shape(bytes);
  void* const got =
      allocate({space, a.bytes, a.header_bytes, a.label, shape, a.system, false, {a.calls.begin(), a.calls.end()}}, false);
  if (reinterpret_cast<std::uintptr_t>(got) != a.address)
    throw TraceError(fmt::format("the allocation \"{}\" came to lie elsewhere than in the recorded run", a.label));
}

void HostReplay::operator()(FreeRecord const& free) {
  if (Allocation const* const a = find_allocation(free.address)) beside_launch(a->begin, a->bytes);
  deallocate(reinterpret_cast<void*>(free.address));
}

void HostReplay::operator()(CopyRecord const& copy) {
  m_trace.admission().check(copy);
  beside_launch(copy.to, copy.bytes);
  note_copied(copy.to, copy.from, copy.bytes);
}

void HostReplay::operator()(InitialisedRecord const& zero) {
  m_trace.admission().check(zero);
  beside_launch(zero.address, zero.bytes);
  note_initialised(zero.address, zero.bytes);
}

void HostReplay::operator()(UsmAllocationRecord const& a) {
  m_trace.admission().check(a);
  usm_adopt(reinterpret_cast<void*>(a.address), static_cast<UsmKind>(a.kind), a.context);
}

void HostReplay::operator()(UsmFreeRecord const& free) {
  usm_may_free(reinterpret_cast<void*>(free.address), free.context);
}

void HostReplay::operator()(UsmContextRecord const& c) { usm_bind_instance(c.instance, c.context); }

void HostReplay::operator()(TransferRecord const& t) {
  detect::check_transfer(t.what.c_str(), t.preposition.c_str(), t.address, t.bytes, t.context);
}

void HostReplay::operator()(PrefetchRecord const& p) {
  m_trace.admission().check(p);
  migration::prefetch(p.address, p.bytes, p.to_device);
}

void HostReplay::operator()(HostTouchRecord const& touch) {
  m_trace.admission().check(touch);
  beside_launch_touches(touch.address);
  migration::host_touches(touch.address, touch.bytes);
}

void HostReplay::operator()(FenceRecord const& f) { fence(static_cast<std::uint32_t>(f.instance)); }

void HostReplay::operator()(FinalizeRecord const& finalize) { replay_finalized(finalize); }

void HostReplay::operator()(InstancesRecord const&) { note_instances(); }

void HostReplay::operator()(PendingRecord const& p) {
  m_trace.admission().check(p);
  auto const instance = static_cast<std::uint32_t>(p.instance);
  auto const begin = reinterpret_cast<void const*>(p.address);
  if (p.writes)
    pend_write(instance, begin, p.bytes, p.result ? AsyncWork::result : p.fill ? AsyncWork::fill : AsyncWork::copy);
  else
    pend_read(instance, begin, p.bytes);
}

void HostReplay::operator()(HostAccessRecord const& a) {
  m_trace.admission().check(a);
  checked_access({a.address, static_cast<std::uint32_t>(a.bytes), static_cast<AccessKind>(a.kind), a.site}, true);
}

void HostReplay::operator()(LimitRecord const& limit) {
  m_trace.admission().check(limit);
  if (m_trace.is_of_this_device())
    report_limit(static_cast<LimitKind>(limit.kind), config_of(limit.config), limit.requested, limit.maximum, limit.message);
  else
    check_limit_again(limit);
}

void HostReplay::operator()(LaunchRecord const& recorded) {
  m_trace.admission().check(recorded, ++m_launches);
  m_teams.begin_launch(m_next, recorded.checked, {recorded.calls.begin(), recorded.calls.end()});
  LaunchConfig const config = config_of(recorded.config);
  if (!m_trace.is_of_this_device()) check_limits(config);
  launch(config, nullptr, 0, &replay_lane, &m_teams);
  m_beside = config.league_size != 0 && config.team_size != 0;
}

void HostReplay::operator()(LaunchEndRecord const&) {
  detect::end_beside();
  m_beside = false;
}

/// The memory is freed or written by the host.
void HostReplay::beside_launch(std::uintptr_t begin, std::size_t bytes) {
  if (!m_beside || !global_shadow::touched_by_launch(begin, bytes)) return;
  Collector::instance().note(
      "a host thread freed or wrote memory while a kernel of another one used it: the replay takes the kernel to have come "
      "first, which the run may have seen otherwise");
}

/// The host touches a page of shared memory that was not there.
void HostReplay::beside_launch_touches(std::uintptr_t address) {
  Allocation const* const a = m_beside ? find_allocation(address) : nullptr;
  if (a == nullptr || address < a->data()) return;
  std::uintptr_t const page = address - (address - a->data()) % options().page_size;
  if (global_shadow::touched_by_launch(page, std::min<std::size_t>(options().page_size, a->end() - page)))
    Collector::instance().note(
        "a host thread touched a page of shared memory while a kernel of another one used it: the replay takes the kernel "
        "to have come first, so that it may count other migrations");
}

/// The stack that the program had where the host is now.
std::vector<Site> HostReplay::stack_now() {
  if (hot.lane != nullptr || m_trace.damaged()) return {};
  return m_trace.guarded([&] { return find_stack(); }, {});
}

std::vector<Site> HostReplay::find_stack() {
  // What other threads did may stand in between.
  std::uint32_t thread = m_thread;
  Position at = m_next_stack;
  for (TraceRecord record; m_trace.read(at, record);) {
    auto const tag = static_cast<RecordTag>(record.tag);
    if (tag == RecordTag::host_thread) thread = decode<HostThreadRecord>(record.bytes).number;
    if (m_trace.program().learn(record) || !is_host_action(tag) || thread != m_thread) continue;
    if (tag != RecordTag::stack) break;
    m_next_stack = at;
    auto const frames = decode<StackRecord>(record.bytes).frames;
    return {frames.begin(), frames.end()};
  }
  return {};
}

}  // namespace teamsan::trace
