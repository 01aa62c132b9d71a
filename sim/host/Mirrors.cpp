// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Mirrors.hpp"

#include "../base/Arena.hpp"
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
#include "../trace/Mode.hpp"
#include "DualViews.hpp"
#include "HostSide.hpp"
#include "NeverSynced.hpp"
#include "StaleRead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

namespace {

/// Of a View, by where it lies on the device.
struct Mirror {
  std::uintptr_t host;
  std::uint64_t device_serial, host_serial;  ///< others may lie there later
  std::vector<std::byte> alike;              ///< both, when the one was copied to the other
  std::vector<Site> copied;                  ///< the host's calls by which it was
};

constexpr std::size_t most_kept_of_mirrors = std::size_t{256} << 20;  ///< bytes, of all

struct Mirrors {
  std::mutex mutex;
  std::map<std::uintptr_t, Mirror> by_device;
  std::size_t kept = 0;

  auto forget(std::map<std::uintptr_t, Mirror>::iterator one) {
    kept -= one->second.alike.size();
    return by_device.erase(one);
  }
};
Mirrors& known_mirrors() {
  static auto* const k = new Mirrors;  // outlives exit handlers
  return *k;
}

/// The View whose first element lies there, if all of it is so many bytes.
Allocation const* view_at(std::uintptr_t device, std::size_t bytes) {
  Allocation const* const a = find_allocation(device);
  return a != nullptr && a->live && a->data() == device && a->end() - device == bytes ? a : nullptr;
}

bool is_there(std::uintptr_t device, Mirror const& mirror) {
  AllocationsHeld const held;
  Allocation const* const a = view_at(device, mirror.alike.size());
  return a != nullptr && a->serial == mirror.device_serial && host_data_serial(mirror.host) == mirror.host_serial;
}

void check(LaunchState const& launch, std::uintptr_t device, Mirror const& mirror) {
  auto const* const now = reinterpret_cast<std::byte const*>(device);
  auto const* const host = reinterpret_cast<std::byte const*>(mirror.host);
  std::size_t const bytes = mirror.alike.size();
  if (std::memcmp(mirror.alike.data(), host, bytes) == 0) return;
  detect::LaunchWords const words(launch);
  std::optional<Finding> found;
  std::uint64_t last_element = ~std::uint64_t{0};
  for (std::size_t at = 0; at + 4 <= bytes; at += 4) {
    if (std::memcmp(mirror.alike.data() + at, host + at, 4) == 0 || std::memcmp(mirror.alike.data() + at, now + at, 4) != 0)
      continue;
    std::optional<detect::WordAccess> const reader = words.access(device + at);
    if (!reader || reader->writes || reader->atomic) continue;
    if (!found) {
      detect::RawFinding f = stale_read(device + at, *reader);
      f.severity = Severity::warning;
      f.title = "a kernel reads what the View's mirror has another value of";
      f.why = {because(Reason::mirror_changed, host_data_at(mirror.host + at))};
      f.fix = remedy(Cure::copy_mirror);
      found = detect::finish(std::move(f), launch.facts);
      found->teams_at_least = true;
      if (std::optional<Side> store = last_store_of_host(mirror.host + at))
        found->sides.push_back(std::move(*store));
      else
        found->sides.push_back(side_of_host("copied by the host", mirror.copied));
    }
    std::uint64_t const element = at / std::max<std::uint32_t>(found->data.element_size, 4);
    found->count += element != last_element;
    last_element = element;
  }
  if (found) report(std::move(*found));
}

}  // namespace

void note_host_view(char const* label, void const* begin, std::size_t bytes) {
  note_host_data(label, begin, bytes);
  note_part_of_dual_view(label, begin, bytes);
  bool const asked = options().enabled_by_name(Rule::stale_copy) && !trace::recording();
  if (!asked || !std::string_view(label).ends_with("_mirror")) return;
  RuntimeScope const scope;
  host_stores::follow(reinterpret_cast<std::uintptr_t>(begin), bytes);
}

void forget_host_view(void const* begin) {
  end_part_of_dual_view(begin);
  forget_host_data(begin);
  host_stores::stop_following(reinterpret_cast<std::uintptr_t>(begin));
}

void note_mirror_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (!options().enabled_by_name(Rule::stale_copy) || trace::recording()) return;
  bool const to_device = arena::contains(arena::device, arena::device_bytes, to);
  if (to_device == arena::contains(arena::device, arena::device_bytes, from)) return;
  std::uintptr_t const device = to_device ? to : from, host = to_device ? from : to;
  Mirrors& k = known_mirrors();
  std::lock_guard const lock(k.mutex);
  for (auto it = k.by_device.begin(); it != k.by_device.end();)
    it = it->first == device || it->second.host == host ? k.forget(it) : std::next(it);
  AllocationsHeld const held;
  Allocation const* const view = view_at(device, bytes);
  std::uint64_t const serial = host_data_serial(host);
  if (view == nullptr || serial == 0 || k.kept + bytes > most_kept_of_mirrors ||
      host_data_at(host).find(fmt::format("\"{}_mirror\"", view->label)) == std::string::npos)
    return;
  auto const* const same = reinterpret_cast<std::byte const*>(host);
  k.by_device.emplace(device, Mirror{host, view->serial, serial, {same, same + bytes}, program().stack()});
  k.kept += bytes;
  host_stores::follow_anew(host);
}

void check_mirrors(LaunchState const& launch) {
  Mirrors& k = known_mirrors();
  std::lock_guard const lock(k.mutex);
  for (auto it = k.by_device.begin(); it != k.by_device.end();) {
    auto const& [device, mirror] = *it;
    if (!is_there(device, mirror) || is_side_of_dual_view(device)) {
      it = k.forget(it);
      continue;
    }
    if (launch.checked && functor_holds(launch, device, mirror.alike.size())) check(launch, device, mirror);
    ++it;
  }
}

}  // namespace teamsan
