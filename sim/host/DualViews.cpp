// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DualViews.hpp"

#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/HostStores.hpp"
#include "../places/HostData.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Mode.hpp"
#include "HostSide.hpp"
#include "NeverSynced.hpp"
#include "StaleRead.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

struct DualView {
  DualSides sides;
  std::uint64_t device_serial = 0, host_serial = 0, flags_serial = 0;  ///< what they are part of: others may lie there later
  std::vector<Site> modified = {};    ///< the host's calls by which the side that is newer was declared modified
  std::vector<std::byte> alike = {};  ///< both sides, when the one was copied to the other; empty: not kept
};

constexpr std::size_t most_kept = std::size_t{256} << 20;  ///< bytes, of all

struct DualViews {
  std::mutex mutex;
  std::atomic<bool> device_newer{false};  ///< of any, ever
  std::set<std::pair<Site, std::uintptr_t>> read_on_host;  ///< told: the instruction, and which View
  std::map<std::uintptr_t, DualView> by_device;
  std::size_t kept = 0;
};
DualViews& known() {
  static auto* const k = new DualViews;  // outlives exit handlers
  return *k;
}

std::uintptr_t number_of(void const* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::uint64_t device_serial(void const* pointer) {
  Allocation const* const a = find_allocation(number_of(pointer));
  return a != nullptr && a->live ? a->serial : 0;
}

bool is_there(DualView const& d) {
  return device_serial(d.sides.device) == d.device_serial && host_data_serial(number_of(d.sides.host)) == d.host_serial &&
         host_data_serial(number_of(d.sides.flags)) == d.flags_serial;
}

/// Kokkos' own, say, though a compiler may have put it into a function of the user's.
bool is_not_users(Site site) {
  std::vector<Frame> const& frames = program().frames(site);
  return frames.empty() || frames.front().internal;
}

/// Of the words that the launch read and that are older on the device than on the host.
void check(LaunchState const& launch, DualView const& dual) {
  auto const* const device = static_cast<std::byte const*>(dual.sides.device);
  auto const* const host = static_cast<std::byte const*>(dual.sides.host);
  bool const flagged = dual.sides.flags[0] > dual.sides.flags[1];
  if (std::memcmp(device, host, dual.sides.bytes) == 0) return;
  detect::LaunchWords const words(launch);
  std::optional<Finding> found;
  std::uint64_t last_element = ~std::uint64_t{0};
  for (std::size_t at = 0; at + 4 <= dual.sides.bytes; at += 4) {
    if (std::memcmp(device + at, host + at, 4) == 0) continue;
    // Where flags do not tell, the one that is not as it was has changed.
    if (!flagged && std::memcmp(device + at, dual.alike.data() + at, 4) != 0) continue;
    std::optional<detect::WordAccess> const reader = words.access(number_of(device + at));
    if (!reader || reader->writes || reader->atomic) continue;
    if (!found) {
      detect::RawFinding f = stale_read(number_of(device + at), *reader);
      f.title = "a kernel reads what the host has a newer copy of";
      f.why = {because(flagged ? Reason::host_side_newer : Reason::host_side_changed)};
      f.fix = remedy(flagged ? Cure::sync_device : Cure::modify_and_sync);
      found = detect::finish(std::move(f), launch.facts);
      found->teams_at_least = true;
      if (std::optional<Side> store = last_store_of_host(number_of(host + at)))
        found->sides.push_back(std::move(*store));
      else if (flagged)
        found->sides.push_back(side_of_host("modified on the host", dual.modified));
    }
    std::uint64_t const element = at / std::max<std::uint32_t>(found->data.element_size, 4);
    found->count += element != last_element;
    last_element = element;
  }
  if (found) report(std::move(*found));
}

}  // namespace

void note_dual_view(DualSides const& sides) {
  if (!options().enabled(Rule::stale_copy) || trace::recording() || sides.bytes == 0 || sides.flags == nullptr) return;
  if (!options().enabled_by_name(Rule::stale_copy)) return note_synced_or_modified(sides);
  RuntimeScope const scope;
  DualView dual{sides, device_serial(sides.device), host_data_serial(number_of(sides.host)),
                host_data_serial(number_of(sides.flags))};
  if (dual.device_serial == 0 || dual.host_serial == 0 || dual.flags_serial == 0) return;
  DualViews& k = known();
  std::lock_guard const lock(k.mutex);
  DualView& here = k.by_device[number_of(sides.device)];
  k.kept -= here.alike.size();
  // Until now it was initialised, by Kokkos.
  if (here.host_serial != dual.host_serial)
    host_stores::forget(number_of(sides.host), is_not_users);
  here = std::move(dual);
  if (sides.flags[0] != sides.flags[1]) here.modified = program().stack();
  if (sides.flags[1] > sides.flags[0]) k.device_newer = true;
  if (sides.flags[0] != 0 || sides.flags[1] != 0) return;
  host_stores::follow_anew(number_of(sides.host));
  if (k.kept + sides.bytes > most_kept) return;
  auto const* const host = static_cast<std::byte const*>(sides.host);
  here.alike.assign(host, host + sides.bytes);
  k.kept += sides.bytes;
}

void check_read_by_host(Access const& access) {
  DualViews& k = known();
  if (!k.device_newer.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  std::lock_guard const lock(k.mutex);
  for (auto const& [device, dual] : k.by_device) {
    std::size_t const at = access.address - number_of(dual.sides.host);
    if (at >= dual.sides.bytes) continue;
    if (dual.sides.flags[1] <= dual.sides.flags[0] || !is_there(dual)) return;
    std::size_t const bytes = std::min<std::size_t>(access.bytes, dual.sides.bytes - at);
    if (std::memcmp(static_cast<std::byte const*>(dual.sides.host) + at, reinterpret_cast<std::byte const*>(device) + at,
                    bytes) == 0 ||
        last_store_of_host(access.address) ||  // the host's own, whatever it is for
        !k.read_on_host.emplace(access.site, device).second)
      return;
    std::vector<Site> callers = program().stack();
    if (is_not_users(access.site)) return;  // a copy of all there is, say
    Finding f;
    f.rule = Rule::stale_copy;
    f.title = "the host reads what the device has a newer copy of";
    f.data = detect::describe_global(device + at, static_cast<std::uint32_t>(bytes));
    Side side;
    side.access = AccessKind::read;
    side.bytes = access.bytes;
    side.site = access.site;
    side.callers = std::move(callers);
    f.sides = {std::move(side), side_of_host("modified on the device", dual.modified)};
    f.why = {because(Reason::device_side_newer)};
    f.fix = remedy(Cure::sync_host);
    f.count_at_least = true;
    report(std::move(f));
    return;
  }
}

bool is_side_of_dual_view(std::uintptr_t device) {
  DualViews& k = known();
  std::lock_guard const lock(k.mutex);
  return k.by_device.contains(device);
}

bool functor_holds(LaunchState const& launch, std::uintptr_t begin, std::size_t bytes) {
  auto const* const functor = static_cast<std::byte const*>(launch.kernel);
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= launch.kernel_bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, functor + at, sizeof word);
    if (word - begin < bytes) return true;
  }
  return false;
}

void check_dual_views(LaunchState const& launch) {
  DualViews& k = known();
  std::lock_guard const lock(k.mutex);
  for (auto it = k.by_device.begin(); it != k.by_device.end();) {
    DualView& dual = it->second;
    if (!is_there(dual)) {
      k.kept -= dual.alike.size();
      it = k.by_device.erase(it);
      continue;
    }
    bool const flagged = dual.sides.flags[0] > dual.sides.flags[1];
    bool const alike = dual.sides.flags[0] == 0 && dual.sides.flags[1] == 0 && !dual.alike.empty();
    if ((flagged || alike) && launch.checked && functor_holds(launch, number_of(dual.sides.device), dual.sides.bytes))
      check(launch, dual);
    ++it;
  }
}

}  // namespace teamsan
