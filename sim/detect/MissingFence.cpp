// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MissingFence.hpp"

#include "../../model/device/Device.hpp"
#include "../base/Options.hpp"
#include "../base/ReportMemory.hpp"
#include "Checker.hpp"
#include "LatestLaunch.hpp"
#include "PendingRows.hpp"
#include "PendingSides.hpp"
#include "PendingWork.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/HostStores.hpp"
#include "../memory/TeamShadow.hpp"
#include "../places/AtomicCode.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <pthread.h>
#include <string_view>

namespace teamsan::detect {

namespace {

/// A copy, or a result, of one instance touches what another instance works on.
void meet_others(Pending& p, std::uint32_t instance, std::uintptr_t line, Mask mask, bool writes, PendingAccess const& mine) {
  for (auto const& [number, theirs] : p.instances) {
    if (p.is_before(instance, number)) continue;
    std::optional<Footprint> const there = theirs.footprint(line);
    if (!there) continue;
    Footprint::Conflict const met = there->conflict(mask, writes, false);
    if (met.bytes == 0) continue;
    PendingAccess const& other = *met.with;
    bool lane_known = false;
    std::uintptr_t const address = meeting_place(line, met.bytes, other, lane_known);
    std::uint64_t asked = 0;
    for (Site const caller : mine.work->callers) asked = asked * 31 + number_of(caller);
    bool const known = !p.reported.insert(asked * 0x9e3779b97f4a7c15u ^ number_of(other.site) ^ data_key(address) << 40).second;
    if (other.work->ordered || known) continue;
    RawFinding raw;
    raw.rule = Rule::missing_fence;
    Work const& kernel = mine.work->facts.number != 0 ? *mine.work : *other.work;
    Finding f = finish(std::move(raw), kernel.facts);
    if (kernel.facts.number == 0) f.kernel.clear(), f.policy.clear();
    f.title = fmt::format("{} by {} on data of another instance that is not fenced", writes ? "write" : "read",
                          mine.work->actor);
    f.data = describe_global(address, 4);
    f.sides = {side_of(mine, writes, false, false, false),
               side_of(other, met.writes, met.atomic, lane_known, true)};
    f.why = {because(Reason::copy_in_other_instance, kernel_text(*other.work))};
    f.fix = remedy(Cure::fence_or_one_instance);
    report(std::move(f));
  }
}

}  // namespace

namespace {

/// Of the thread that asks.
bool is_on_own_stack(std::uintptr_t address) {
  struct Stack {
    std::uintptr_t begin = 0, end = 0;
    Stack() {
      pthread_attr_t attributes;
      if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
      void* lowest = nullptr;
      std::size_t bytes = 0;
      if (::pthread_attr_getstack(&attributes, &lowest, &bytes) == 0) {
        begin = reinterpret_cast<std::uintptr_t>(lowest);
        end = begin + bytes;
      }
      ::pthread_attr_destroy(&attributes);
    }
  };
  thread_local Stack const stack;
  return address - stack.begin < stack.end - stack.begin;
}

/// A host thread frees a block of memory that it shares with a copy: the part that is shared is looked at.
void note_free(void* block) noexcept {
  if (block == nullptr || hot.in_runtime != 0 || hot.lane != nullptr) return;
  RuntimeScope const scope;
  auto const begin = reinterpret_cast<std::uintptr_t>(block), end = begin + size_of_block(block);
  Pending& p = pending();
  if (std::atomic_ref(p.launch).load(std::memory_order_relaxed) != 0) return;  // it is the league's, mostly
  std::uintptr_t shared = 0;
  {
    std::lock_guard const lock(p.mutex);
    for (auto const& [number, instance] : p.instances)
      for (HostRange const& r : instance.host)
        if (begin < r.end && r.begin < end && shared == 0) shared = std::max(begin, r.begin);
  }
  if (shared == 0) return;
  check_host_access(
      {shared, static_cast<std::uint32_t>(std::min<std::size_t>(end - shared, 1u << 30)), AccessKind::none, Site{}});
}

}  // namespace

void note_instances() {
  if (!pending().several.exchange(true)) pend_latest();
}
bool has_several_instances() { return pending().several; }

void begin_launch(LaunchFacts const& facts, Note const& note) {
  Pending& p = pending();
  std::lock_guard const lock(p.mutex);
  note();
  p.last[facts.config.instance] = facts;
  p.unfenced = p.node != nullptr ? p.node->of : facts.config.instance;
  p.open(facts);
}

void begin_node(void const* node, std::uint32_t instance, std::vector<void const*> const& before) {
  RuntimeScope const scope;
  Pending& p = pending();
  p.several = true;
  std::lock_guard const lock(p.mutex);
  if (p.nodes.contains(node)) p.end_graph();  // the graph is submitted anew
  GraphNode& here = p.nodes[node];
  here = {p.next_node++, instance};
  for (void const* const other : before)
    if (auto const known = p.nodes.find(other); known != p.nodes.end()) {
      here.before.insert(known->second.instance);
      here.before.insert(known->second.before.begin(), known->second.before.end());
    }
  p.node = &here;
}

void end_node() {
  Pending& p = pending();
  std::lock_guard const lock(p.mutex);
  p.node = nullptr;
}

bool is_latest_launch_fenced() { return pending().unfenced == Pending::none; }

void end_pending(std::uint32_t instance, Note const& note) {
  Pending& p = pending();
  if (instance == Pending::all || instance == p.unfenced) p.unfenced = Pending::none;
  if (!p.any && !note) return;
  RuntimeScope const scope;  // what is freed here is not the program's
  {
    std::lock_guard const lock(p.mutex);
    if (note) note();
    // Kokkos' own backend fences before a node that the host runs, the instance that is this one's by default; a GPU's graph
    // lets that node wait as its edges say.
    if (p.node != nullptr)
      p.node->on_host = true;
    else
      p.clear(instance);
  }
  if (!p.any) watch_frees(nullptr);
  if (!p.any && hot.lane == nullptr) hot.ignore_bytes = host_stores::ignored_bytes();
}

void end_beside() {
  RuntimeScope const scope;
  Pending& p = pending();
  std::lock_guard const lock(p.mutex);
  p.close();
}

bool may_pend(void const* pointer) {
  auto const at = reinterpret_cast<std::uintptr_t>(pointer);
  return missing_fence_enabled() && (!is_global(at) || host_reaches(at) || pending().several);
}

void pend_access(std::uint32_t instance, void const* pointer, std::size_t bytes, bool writes, char const* actor,
                 bool of_kernel) {
  if (!missing_fence_enabled() || bytes == 0) return;
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer), end = begin + bytes;
  Pending& p = pending();
  bool const global = is_global(begin);
  if (global ? !host_reaches(begin) && !p.several : !writes && is_on_own_stack(begin)) return;
  std::lock_guard const lock(p.mutex);
  Work work{{}, actor, false, program().stack(), p.launch};
  if (of_kernel) work.facts = p.last[instance];
  PendingAccess mine{&p.keep(std::move(work))};
  p.any = true;
  if (!global) {
    p.instances[p.kept_under(instance)].host.push_back({begin, end, mine, writes});
    watch_frees(note_free);
    if (hot.lane == nullptr) hot.ignore_bytes = 0;  // host memory is looked at until the fence
    return;
  }
  Instance& of_instance = p.instances[p.kept_under(instance)];
  auto& lines = of_instance.lines;
  if (Allocation const* const a = find_allocation(begin)) {
    Extent& extent = of_instance.extents[a->serial];
    extent.add(begin / Line::bytes, writes);
    extent.add((end - 1) / Line::bytes, writes);
  }
  for (std::uintptr_t line = begin / Line::bytes; line * Line::bytes < end; ++line) {
    if (p.instances.size() > 1) meet_others(p, instance, line, mask_of(line, begin, end), writes, mine);
    Footprint& f = lines[line];
    mine.byte = static_cast<std::uint8_t>(std::countr_zero(mask_of(line, begin, end)));
    (writes ? f.written : f.read) |= mask_of(line, begin, end);
    (writes ? f.write : f.reader) = mine;
  }
}

namespace {

void report_access(Access const& access, std::uintptr_t address, PendingAccess const& theirs, Side&& their_side) {
  Pending& p = pending();
  if (!p.reported.insert(number_of(access.site) * 0x9e3779b97f4a7c15u ^ number_of(theirs.site) ^ data_key(address) << 40)
           .second)
    return;
  Work const& work = *theirs.work;
  RawFinding raw;
  raw.rule = Rule::missing_fence;
  Finding f = finish(std::move(raw), work.facts);
  if (work.facts.number == 0) f.kernel.clear(), f.policy.clear();
  bool const reads = their_side.access == AccessKind::read || their_side.access == AccessKind::atomic_read;
  bool const frees = access.kind == AccessKind::none;
  f.title = fmt::format("host {} of what a {} that is not fenced {}", frees ? "free" : verb(access.kind),
                        work.facts.number != 0                         ? "kernel"
                        : std::string_view(work.actor) == fill_actor ? "fill"
                                                                     : "copy",
                        reads ? "reads" : "writes");
  f.data = data_at(address, access.bytes);
  if (f.data.kind == Data::Kind::host) f.data.label = work.actor;
  Side side;
  side.access = access.kind;
  side.bytes = access.bytes;
  side.site = access.site;
  side.callers = program().stack();
  if (frees) side.role = "freed here";
  f.sides = {std::move(side), std::move(their_side)};
  f.why = {because(Reason::goes_on, kernel_text(work))};
  f.fix = remedy(Cure::fence_before);
  report(std::move(f));
}

/// The bytes are not the kernel's, but the allocation is one that it works on.
void report_exclusive(Access const& access, PendingAccess const& theirs) {
  Pending& p = pending();
  if (!p.reported.insert(number_of(access.site) * 0x9e3779b97f4a7c15u ^ data_key(access.address) << 40).second) return;
  Work const& work = *theirs.work;
  RawFinding raw;
  raw.rule = Rule::missing_fence;
  Finding f = finish(std::move(raw), work.facts);
  f.title = fmt::format("host {} of a shared allocation during a kernel that works on it", verb(access.kind));
  f.data = describe_global(access.address, access.bytes);
  Side side;
  side.access = access.kind;
  side.bytes = access.bytes;
  side.site = access.site;
  side.callers = program().stack();
  Side lane = side_of(theirs, false, false, true, false);
  lane.access = AccessKind::none;
  lane.role = "works on the same allocation";
  f.sides = {std::move(side), std::move(lane)};
  f.why = {because(Reason::no_concurrent_access, options().model().title), because(Reason::goes_on, kernel_text(work))};
  f.fix = remedy(Cure::fence_or_aspect);
  report(std::move(f));
}

/// Is the host where it was when it asked for the work: at one line of the user's, which does both, in Kokkos?
bool is_of_one_call(std::vector<Site> const& callers) {
  Place const then = user_place({}, callers), now = user_place({}, program().stack());
  return then.known() && then.path == now.path && then.line == now.line;
}

}  // namespace

void check_host_access(Access const& access) {
  Pending& p = pending();
  if (!p.any || !missing_fence_enabled()) return;
  RuntimeScope const scope;
  trace::record_host_access(access.kind, access.address, access.bytes, access.site);
  std::uintptr_t const begin = access.address, end = begin + access.bytes;
  std::lock_guard const lock(p.mutex);
  if (!is_global(begin)) {
    bool const frees = access.kind == AccessKind::none;
    bool waits = false;
    for (auto& [number, instance] : p.instances) {
      for (HostRange const& r : instance.host)
        if (begin < r.end && r.begin < end && (r.writes || frees || access.is_write()) && !p.host_waited(number) &&
            !(frees && is_of_one_call(r.access.work->callers)))
          report_access(access, begin, r.access, side_of(r.access, r.writes, false, false, false));
      // What comes to lie there next is somebody else's.
      if (frees) std::erase_if(instance.host, [&](HostRange const& r) { return begin < r.end && r.begin < end; });
      waits |= !instance.host.empty();
    }
    if (!waits) watch_frees(nullptr);
    if (!waits) hot.ignore_bytes = host_stores::ignored_bytes();
    return;
  }
  for (auto const& [number, instance] : p.instances) {
    if (!instance.touches_device() || p.host_waited(number)) continue;
    for (std::uintptr_t line = begin / Line::bytes; line * Line::bytes < end; ++line) {
      std::optional<Footprint> const there = instance.footprint(line);
      if (!there) continue;
      Footprint::Conflict const met = there->conflict(mask_of(line, begin, end), access.is_write(), access.is_atomic());
      if (met.bytes == 0) continue;
      PendingAccess const& theirs = *met.with;
      if (theirs.work->ordered || (access.is_atomic() && is_part_of_atomic(met.atomic, theirs.site))) continue;
      bool lane_known = false;
      std::uintptr_t const at = meeting_place(line, met.bytes, theirs, lane_known);
      report_access(access, at, theirs, side_of(theirs, met.writes, met.atomic, lane_known, false));
      return;
    }
  }
  if (!is_exclusive(begin)) return;
  Allocation const* const owner = find_allocation(begin);
  for (auto const& [number, instance] : p.instances) {
    if (owner == nullptr) return;
    auto const there = instance.shared.find(owner->serial);
    if (there == instance.shared.end() || p.host_waited(number)) continue;
    report_exclusive(access, there->second);
    return;
  }
}

}  // namespace teamsan::detect
