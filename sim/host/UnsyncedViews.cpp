// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "UnsyncedViews.hpp"

#include "../base/Options.hpp"
#include "../detect/Uninit.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Hot.hpp"
#include "../places/HostData.hpp"
#include "../places/Program.hpp"
#include "../trace/Mode.hpp"
#include "DualViews.hpp"
#include "NeverSynced.hpp"

#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

namespace teamsan {

namespace {

/// What a DualView's constructor has allocated so far, by this thread.
struct Coming {
  unsigned const* flags = nullptr;
  std::uintptr_t device = 0;
};
thread_local constinit Coming coming;

bool is_looked_for() {
  Options const& o = options();
  bool const all_teams = !o.quick && o.team < 0;
  return o.enabled(Rule::stale_copy) && !o.enabled_by_name(Rule::stale_copy) && all_teams && !trace::recording();
}

std::uint64_t serial_of(void const* host) { return host_data_serial(reinterpret_cast<std::uintptr_t>(host)); }

}  // namespace

Allocation const* UnsyncedView::allocation() const {
  Allocation const* const a = find_allocation(device);
  return a != nullptr && a->live && a->serial == device_serial ? a : nullptr;
}

bool UnsyncedView::is_untouched() const {
  Allocation const* const a = allocation();
  return a != nullptr && a->written_at.load() == written_at && !may_be_written_unseen(device);
}

bool UnsyncedView::are_all_zeros() const {
  auto const* const at = reinterpret_cast<std::byte const*>(device);
  return bytes == 0 || (at[0] == std::byte{0} && std::memcmp(at, at + 1, bytes - 1) == 0);
}

UnsyncedViews& UnsyncedViews::instance() {
  static auto* const all = new UnsyncedViews;  // outlives exit handlers
  return *all;
}

void UnsyncedViews::forget_device(All::iterator it) {
  auto const at = by_device.find(it->second.device);
  if (at != by_device.end() && at->second == it->first) by_device.erase(at);
}

void UnsyncedViews::forget(All::iterator it) {
  forget_device(it);
  by_flags.erase(it);
}

UnsyncedViews::All::iterator UnsyncedViews::find_by_device(std::uintptr_t address) {
  auto const next = by_device.upper_bound(address);
  if (next == by_device.begin()) return by_flags.end();
  auto const it = by_flags.find(std::prev(next)->second);
  bool const is_in = it != by_flags.end() && address - it->second.device < it->second.bytes;
  return is_in ? it : by_flags.end();
}

void note_part_of_dual_view(char const* label, void const* begin, std::size_t bytes) {
  if (std::string_view(label) == "DualView::modified_flags") {
    coming = {};
    if (is_looked_for()) coming.flags = static_cast<unsigned const*>(begin);
    return;
  }
  if (coming.flags == nullptr) return;
  Coming const made = std::exchange(coming, Coming());
  if (made.device == 0) return;
  RuntimeScope const scope;
  AllocationsHeld const held;
  Allocation const* const a = find_allocation(made.device);
  if (a == nullptr || !a->live || a->label + "_mirror" != label || !detect::is_number(a->shape.type)) return;
  std::size_t const span = a->shape.span() * a->shape.element_bytes;
  if (span == 0 || span > bytes || a->written_at == 0) return;  // others are not initialised
  UnsyncedViews& k = UnsyncedViews::instance();
  std::lock_guard const lock(k.mutex);
  if (auto const old = k.by_flags.find(made.flags); old != k.by_flags.end()) k.forget(old);
  k.by_device[made.device] = made.flags;
  k.by_flags[made.flags] = {.label = label,
                            .device = made.device,
                            .host = reinterpret_cast<std::uintptr_t>(begin),
                            .bytes = span,
                            .device_serial = a->serial,
                            .host_serial = serial_of(begin),
                            .flags_serial = serial_of(made.flags),
                            .written_at = a->written_at.load(),
                            .calls = a->calls};
  k.any = true;
}

void note_part_of_dual_view(Allocation const& device) {
  if (coming.flags == nullptr) return;
  if (device.space == Space::device && device.shape.known() && coming.device == 0)
    coming.device = device.data();
  else
    coming = {};
}

void note_synced_or_modified(DualSides const& sides) {
  UnsyncedViews& k = UnsyncedViews::instance();
  if (!k.any.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  std::lock_guard const lock(k.mutex);
  auto const found = k.by_flags.find(sides.flags);
  if (found == k.by_flags.end()) return;
  if (sides.flags[0] <= sides.flags[1]) {
    k.forget(found);
    k.any = !k.by_flags.empty();
  } else if (found->second.modified.empty() || !found->second.found) {
    found->second.modified = program().stack();
  }
}

void end_part_of_dual_view(void const* host) {
  UnsyncedViews& k = UnsyncedViews::instance();
  if (!k.any.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  UnsyncedViews::All::node_type ended;
  {
    std::lock_guard const lock(k.mutex);
    auto const at = k.by_flags.find(static_cast<unsigned const*>(host));
    if (at == k.by_flags.end()) return;
    k.forget_device(at);
    ended = k.by_flags.extract(at);
    k.any = !k.by_flags.empty();
  }
  if (!ended.empty()) tell_never_synced(ended.key(), ended.mapped());
}

void end_device_side(void const* begin) {
  UnsyncedViews& k = UnsyncedViews::instance();
  if (!k.any.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  AllocationsHeld const held;
  Allocation const* const a = find_allocation(reinterpret_cast<std::uintptr_t>(begin));
  if (a == nullptr) return;
  std::lock_guard const lock(k.mutex);
  auto const it = k.find_by_device(a->data());
  if (it == k.by_flags.end() || it->second.device_serial != a->serial) return;
  UnsyncedView& u = it->second;
  u.is_device_gone = u.found && u.is_untouched() && u.are_all_zeros();
  u.is_device_gone ? k.forget_device(it) : k.forget(it);
  k.any = !k.by_flags.empty();
}

void end_dual_views() {
  UnsyncedViews& k = UnsyncedViews::instance();
  UnsyncedViews::All ended;
  {
    std::lock_guard const lock(k.mutex);
    ended.swap(k.by_flags);
    k.by_device.clear();
    k.any = false;
  }
  for (auto& [flags, u] : ended)
    if (serial_of(flags) == u.flags_serial) tell_never_synced(flags, u);
}

}  // namespace teamsan
