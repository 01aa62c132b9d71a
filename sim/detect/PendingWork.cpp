// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PendingWork.hpp"

#include "../base/Options.hpp"
#include "../base/UsmAspects.hpp"
#include "Checker.hpp"
#include "PendingRows.hpp"
#include "../findings/TextLayout.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/TeamShadow.hpp"

#include <fmt/format.h>

#include <bit>

namespace teamsan::detect {

std::uintptr_t meeting_place(std::uintptr_t line, Mask bytes, PendingAccess const& theirs, bool& lane_known) {
  lane_known = theirs.knows_lane && (bytes >> theirs.byte & 1);
  return line * Line::bytes + ((bytes >> theirs.byte & 1) ? theirs.byte : static_cast<unsigned>(std::countr_zero(bytes)));
}

Pending& pending() {
  static Pending* const p = new Pending;  // outlives exit handlers
  return *p;
}

void Footprint::add(Footprint const& other) {
  // Of one launch, the first team's stands for all; of several, the latest's.
  auto const stands_for = [](PendingAccess const& a, PendingAccess const& b) {
    if (a.work == nullptr || b.work == nullptr) return a.work != nullptr;
    return a.work == b.work ? a.is_before(b) : a.work->turn > b.work->turn;
  };
  if (stands_for(other.write, write)) write = other.write;
  if (stands_for(other.reader, reader)) reader = other.reader;
  written |= other.written;
  read |= other.read;
  atomic_written |= other.atomic_written;
  atomic_read |= other.atomic_read;
}

FootprintTable::Stretch& FootprintTable::of_stretch(std::uintptr_t stretch) {
  if (stretch == m_latest) return *m_of_latest;
  std::unique_ptr<Stretch>& there = m_stretches[stretch];
  if (there == nullptr) there = std::make_unique<Stretch>();
  m_latest = stretch;
  m_of_latest = there.get();
  return *there;
}

void FootprintTable::add(FootprintTable&& later) {
  m_stretches.merge(later.m_stretches);
  for (auto const& [stretch, theirs] : later.m_stretches) {  // those that were there before
    Stretch& mine = *m_stretches.find(stretch)->second;
    for (std::size_t i = 0; i != lines; ++i)
      if (!(*theirs)[i].empty()) mine[i].add((*theirs)[i]);
  }
  later = {};
}

void Extent::add(std::uintptr_t line, bool writes) {
  (writes ? written_from : read_from) = std::min(writes ? written_from : read_from, line);
  (writes ? written_to : read_to) = std::max(writes ? written_to : read_to, line);
}
void Extent::add(Extent const& other) {
  written_from = std::min(written_from, other.written_from);
  written_to = std::max(written_to, other.written_to);
  read_from = std::min(read_from, other.read_from);
  read_to = std::max(read_to, other.read_to);
}
bool Extent::may_meet(std::uintptr_t first_line, std::uintptr_t last_line, bool writes) const {
  if (first_line <= written_to && written_from <= last_line) return true;
  return writes && first_line <= read_to && read_from <= last_line;
}

Instance::Instance() = default;
Instance::Instance(Instance&&) noexcept = default;
Instance& Instance::operator=(Instance&&) noexcept = default;
Instance::~Instance() = default;

void Instance::add(Instance&& later) {
  lines.add(std::move(later.lines));
  for (auto const& [serial, theirs] : later.extents) extents[serial].add(theirs);
  for (PendingRows& theirs : later.rows) {
    auto const like = std::ranges::find_if(rows, [&](PendingRows const& known) { return known.is_like(theirs); });
    if (like != rows.end() && like->work()->turn > theirs.work()->turn) continue;  // nodes of a graph come in any order
    if (like != rows.end()) rows.erase(like);
    rows.push_back(std::move(theirs));
  }
  host.insert(host.end(), later.host.begin(), later.host.end());
  shared.merge(later.shared);
}

std::optional<Footprint> Instance::footprint(std::uintptr_t line) const {
  std::optional<Footprint> all;
  if (Footprint const* const known = lines.find(line)) all = *known;
  for (PendingRows const& of_launch : rows) {
    Footprint of_rows;
    if (!of_launch.add_to(of_rows, line)) continue;
    if (!all) all.emplace();
    all->add(of_rows);
  }
  return all;
}

bool Instance::may_meet(std::uintptr_t begin, std::uintptr_t end, bool writes, bool atomic) const {
  Allocation const* const a = extents.empty() ? nullptr : find_allocation(begin);
  if (auto const known = a != nullptr ? extents.find(a->serial) : extents.end(); known != extents.end())
    if (known->second.may_meet(begin / Line::bytes, (end - 1) / Line::bytes, writes)) return true;
  return std::ranges::any_of(rows, [&](PendingRows const& r) { return r.may_meet(begin, end, writes, atomic); });
}

Work& Pending::keep(Work&& of) {
  of.turn = ++turns;
  return work.emplace_back(std::move(of));
}

void Pending::end_graph() {
  for (auto const& [address, of_graph] : nodes)
    if (auto left = instances.extract(of_graph.instance); !left.empty())
      instances[of_graph.of].add(std::move(left.mapped()));
  nodes.clear();
}

void Pending::open(LaunchFacts const& facts) {
  close();
  if (node == nullptr) end_graph();
  launch = facts.number;
  launch_instance = kept_under(facts.config.instance);
}

void Pending::close() {
  if (launch == 0) return;
  if (!of_launch.empty()) instances[launch_instance].add(std::move(of_launch));
  of_launch = {};
  fenced.clear();
  launch = 0;
  clear(none);
}

void Pending::clear(std::uint32_t instance) {
  if (instance != none) end_graph();
  auto const remove = [&](auto it) {
    if (launch != 0) fenced.emplace_back(it->first, std::move(it->second));
    return instances.erase(it);
  };
  if (instance == all)
    for (auto it = instances.begin(); it != instances.end();) it = remove(it);
  else if (auto const it = instances.find(instance); it != instances.end())
    remove(it);
  any = std::any_of(instances.begin(), instances.end(), [](auto const& i) { return !i.second.empty(); });
  if (!any && launch == 0) work.clear();
}

Mask mask_of(std::uintptr_t line, std::uintptr_t begin, std::uintptr_t end) {
  std::uintptr_t const start = line * Line::bytes;
  std::uintptr_t const from = std::max(begin, start) - start, to = std::min(end, start + Line::bytes) - start;
  Mask const below = to == Line::bytes ? ~Mask{0} : (Mask{1} << to) - 1;
  return below & ~((Mask{1} << from) - 1);
}

AccessKind kind_of(bool writes, bool atomic) {
  if (writes) return atomic ? AccessKind::atomic_write : AccessKind::write;
  return atomic ? AccessKind::atomic_read : AccessKind::read;
}

std::string kernel_text(Work const& work) {
  if (work.facts.number == 0) return work.actor;
  return fmt::format("kernel \"{}\" (launch #{})", clipped(work.facts.config.label), work.facts.number);
}

Side side_of(PendingAccess const& access, bool writes, bool atomic, bool lane_known, bool name_kernel) {
  Side side;
  side.access = kind_of(writes, atomic);
  side.site = access.site;
  Work const& work = *access.work;
  if (*work.actor != 0) {
    side.actor = work.actor;
    side.callers = work.callers;
  } else if (!lane_known) {
    side.actor = "a lane";
  } else {
    LaunchConfig const& c = work.facts.config;
    side.has_lane = true;
    side.league = access.league;
    side.thread = access.lane / c.vector_length;
    side.vector_lane = access.lane % c.vector_length;
    side.warp = access.lane / work.facts.warp_width;
  }
  if (name_kernel && work.facts.number != 0) side.role = kernel_text(work);
  return side;
}

Data data_at(std::uintptr_t address, std::uint32_t bytes) {
  if (is_global(address)) return describe_global(address, bytes);
  Data data;
  data.kind = Data::Kind::host;
  return data;
}

std::uint64_t data_key(std::uintptr_t address) {
  Allocation const* const a = is_global(address) ? find_allocation(address) : nullptr;
  return a ? a->serial : address;
}

bool missing_fence_enabled() { return options().enabled(Rule::missing_fence); }

bool is_exclusive(std::uintptr_t address) {
  return arena::contains(arena::shared, arena::shared_bytes, address) && !usm_aspects().concurrent_access;
}

}  // namespace teamsan::detect
