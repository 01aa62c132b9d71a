// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PendingWork.hpp"

#include "../base/Options.hpp"
#include "../base/UsmAspects.hpp"
#include "PendingRows.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/TeamShadow.hpp"

#include <algorithm>

namespace teamsan::detect {

Pending& pending() {
  static Pending* const p = new Pending;  // outlives exit handlers
  return *p;
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
  if (!of_launch.empty()) {
    instances[launch_instance].add(std::move(of_launch));
    of_launch = {};
  }
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

bool missing_fence_enabled() { return options().enabled(Rule::missing_fence); }

bool is_exclusive(std::uintptr_t address) {
  return arena::contains(arena::shared, arena::shared_bytes, address) && !usm_aspects().concurrent_access;
}

}  // namespace teamsan::detect
