// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DualViews.hpp"

#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../places/HostData.hpp"
#include "../places/Program.hpp"
#include "../trace/Mode.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace teamsan {

namespace {

struct DualView {
  DualSides sides;
  std::uint64_t device_serial = 0, host_serial = 0, flags_serial = 0;  ///< what they are part of: others may lie there later
  std::vector<Site> modified = {};    ///< the host's calls by which its side was declared modified
  std::vector<std::byte> alike = {};  ///< both sides, when the one was copied to the other; empty: not kept
};

constexpr std::size_t most_kept = std::size_t{256} << 20;  ///< bytes, of all

struct DualViews {
  std::mutex mutex;
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
      detect::RawFinding f;
      f.rule = Rule::stale_copy;
      f.title = "a kernel reads what the host has a newer copy of";
      f.data = detect::describe_global(number_of(device + at), 4);
      detect::RawSide side;
      side.access = AccessKind::read;
      side.bytes = 4;
      side.lane = {true, reader->league, reader->lane};
      side.site = reader->site;
      f.sides.push_back(std::move(side));
      f.why = {because(flagged ? Reason::host_side_newer : Reason::host_side_changed)};
      f.fix = remedy(flagged ? Cure::sync_device : Cure::modify_and_sync);
      f.count = 0;
      found = detect::finish(std::move(f), launch.facts);
      found->teams_at_least = true;
      if (flagged) {
        Side modified;
        modified.role = "modified on the host";
        modified.callers = dual.modified;
        found->sides.push_back(std::move(modified));
      }
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
  RuntimeScope const scope;
  DualView dual{sides, device_serial(sides.device), host_data_serial(number_of(sides.host)),
                host_data_serial(number_of(sides.flags))};
  if (dual.device_serial == 0 || dual.host_serial == 0 || dual.flags_serial == 0) return;
  DualViews& k = known();
  std::lock_guard const lock(k.mutex);
  DualView& here = k.by_device[number_of(sides.device)];
  k.kept -= here.alike.size();
  here = std::move(dual);
  if (sides.flags[0] > sides.flags[1]) here.modified = program().stack();
  if (sides.flags[0] != 0 || sides.flags[1] != 0 || k.kept + sides.bytes > most_kept) return;
  auto const* const host = static_cast<std::byte const*>(sides.host);
  here.alike.assign(host, host + sides.bytes);
  k.kept += sides.bytes;
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
