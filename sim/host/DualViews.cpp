// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DualViews.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../detect/Uninit.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/DeviceWrites.hpp"
#include "../memory/HostStores.hpp"
#include "../places/HostData.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Mode.hpp"
#include "HostSide.hpp"

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
  bool not_kept = false;              ///< what they were when they were last alike
  /// Since the host's side was first declared newer, and that they are not alike again:
  bool host_newer = false;
  std::uint64_t newer_at = 0;         ///< by device_writes
  bool device_used = false;           ///< somebody has written to the device's side: it may be there for something else

  bool is_at_place_of(DualView const& other) const {
    return device_serial == other.device_serial && host_serial == other.host_serial && flags_serial == other.flags_serial &&
           sides.host == other.sides.host && sides.bytes == other.sides.bytes && sides.flags == other.sides.flags;
  }
};

constexpr std::size_t most_kept = std::size_t{256} << 20;  ///< bytes, of all

struct DualViews {
  std::mutex mutex;
  std::atomic<bool> device_newer{false};  ///< of any, ever
  std::set<std::pair<Site, std::uintptr_t>> read_on_host;  ///< told: the instruction, and which View
  std::atomic<bool> any{false};
  std::map<std::uintptr_t, DualView> by_device;
  std::size_t kept = 0;

  auto forget(std::map<std::uintptr_t, DualView>::iterator one) {
    kept -= one->second.alike.size();
    return by_device.erase(one);
  }
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

bool flags_tell(DualView const& d) { return d.sides.flags[0] > d.sides.flags[1]; }

/// The DualView whose device side an address lies in, if it is there still; else none.
DualView* holder_of(DualViews& k, std::uintptr_t address) {
  for (auto after = k.by_device.upper_bound(address); after != k.by_device.begin();) {
    auto const here = std::prev(after);
    if (address - here->first >= here->second.sides.bytes) return nullptr;
    if (is_there(here->second)) return &here->second;
    after = k.forget(here);  // another one may lie around where it was
  }
  return nullptr;
}

/// Those of which the launch's functor holds an address on the device, and which may be older there.
std::vector<DualView*> held_by(LaunchState const& launch, DualViews& k) {
  std::vector<DualView*> held;
  bool const by_name = options().enabled_by_name(Rule::stale_copy);
  auto const* const functor = static_cast<std::byte const*>(launch.kernel);
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= launch.kernel_bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, functor + at, sizeof word);
    if (!arena::contains(arena::device, arena::device_bytes, word)) continue;
    DualView* const d = holder_of(k, word);
    if (d == nullptr) continue;
    if (flags_tell(*d) && (d->device_used || d->not_kept)) continue;
    bool const alike = by_name && d->sides.flags[0] == 0 && d->sides.flags[1] == 0 && !d->alike.empty();
    if (!flags_tell(*d) && !alike) continue;
    if (std::ranges::find(held, d) == held.end() && std::memcmp(d->sides.device, d->sides.host, d->sides.bytes) != 0)
      held.push_back(d);
  }
  return held;
}

/// Of the View that begins there; not known: none does.
Shape shape_at(std::uintptr_t device) {
  AllocationsHeld const held;
  Allocation const* const a = find_allocation(device);
  return a != nullptr && a->live ? a->shape : Shape();
}

/// Kokkos' own, say, though a compiler may have put it into a function of the user's.
bool is_not_users(Site site) {
  std::vector<Frame> const& frames = program().frames(site);
  return frames.empty() || frames.front().internal;
}

/// Has somebody written to the device's side since the host's was declared newer? The launch, say, which has ended.
bool is_device_written(detect::LaunchWords const& words, DualView const& dual) {
  std::uintptr_t const begin = number_of(dual.sides.device);
  Allocation const* const a = find_allocation(begin);
  if (a == nullptr || a->written_at.load() > dual.newer_at) return true;
  for (std::uintptr_t word = begin; word < begin + dual.sides.bytes; word += 4)
    if (words.may_be_written(word)) return true;
  return false;
}

/// Bytes of the word that differ, a mask.
unsigned differing(std::byte const* a, std::byte const* b) {
  unsigned mask = 0;
  for (unsigned i = 0; i < 4; ++i) mask |= static_cast<unsigned>(a[i] != b[i]) << i;
  return mask;
}

/// Did whoever read the word read what differs? Where it is not known which bytes of it were read, of elements that are no
/// numbers of a word or more, all must differ: others may lie beside what was read, or padding.
bool reads_some_of(unsigned differ, detect::WordAccess const& reader, bool of_numbers, std::uint32_t element_bytes) {
  if (of_numbers && element_bytes >= 4) return differ != 0;
  return of_numbers && reader.bytes_known ? (differ & reader.bytes) != 0 : differ == 15;
}

/// Of the words that the launch read and that are older on the device than on the host.
void check(LaunchState const& launch, DualView& dual) {
  auto const* const device = static_cast<std::byte const*>(dual.sides.device);
  auto const* const host = static_cast<std::byte const*>(dual.sides.host);
  bool const flagged = flags_tell(dual);
  if (number_of(device) % 4 != 0) return;
  if (!launch.checked) {
    dual.device_used = true;  // for all that is known
    return;
  }
  detect::LaunchWords const words(launch);
  if (flagged && is_device_written(words, dual)) {
    dual.device_used = true;
    return;
  }
  Shape const shape = shape_at(number_of(device));
  bool const of_numbers = detect::is_number(shape.type);
  std::optional<Finding> found;
  std::uint64_t last_element = ~std::uint64_t{0};
  for (std::size_t at = 0; at + 4 <= dual.sides.bytes; at += 4) {
    unsigned const differ = differing(device + at, host + at);
    // The one that is not as it was has changed. Until they are alike for the first time, both hold zeros.
    constexpr std::byte zeros[4] = {};
    if (differ == 0 || std::memcmp(device + at, dual.alike.empty() ? zeros : dual.alike.data() + at, 4) != 0) continue;
    std::optional<detect::WordAccess> const reader = words.access(number_of(device + at));
    if (!reader || reader->writes || reader->atomic) continue;
    if (!reads_some_of(differ, *reader, of_numbers, shape.element_bytes)) continue;
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
  RuntimeScope const scope;
  DualView dual{sides, device_serial(sides.device), host_data_serial(number_of(sides.host)),
                host_data_serial(number_of(sides.flags))};
  if (dual.device_serial == 0 || dual.host_serial == 0 || dual.flags_serial == 0) return;
  bool const by_name = options().enabled_by_name(Rule::stale_copy);
  bool const host_newer = flags_tell(dual), device_newer = sides.flags[1] > sides.flags[0];
  DualViews& k = known();
  std::lock_guard const lock(k.mutex);
  k.any = true;
  DualView& here = k.by_device[number_of(sides.device)];
  if (!here.is_at_place_of(dual)) {
    // Until now it was initialised, by Kokkos.
    if (by_name && here.host_serial != dual.host_serial) host_stores::forget(number_of(sides.host), is_not_users);
    k.kept -= here.alike.size();
    here = std::move(dual);
  }
  here.modified = host_newer || (by_name && device_newer) ? program().stack() : std::vector<Site>();
  if (host_newer && !here.host_newer) {
    here.newer_at = device_writes::moment();
    here.device_used = false;
  }
  here.host_newer = host_newer;
  if (by_name && device_newer) k.device_newer = true;
  if (sides.flags[0] != 0 || sides.flags[1] != 0) return;
  if (by_name) host_stores::follow_anew(number_of(sides.host));
  k.kept -= here.alike.size();
  here.alike.clear();
  if (k.kept + sides.bytes > most_kept)
    for (auto it = k.by_device.begin(); it != k.by_device.end();) it = is_there(it->second) ? std::next(it) : k.forget(it);
  here.not_kept = k.kept + sides.bytes > most_kept;
  if (here.not_kept) return;
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

bool holds_older_sides(LaunchState const& launch) {
  DualViews& k = known();
  if (!k.any) return false;
  std::lock_guard const lock(k.mutex);
  return !held_by(launch, k).empty();
}

void check_dual_views(LaunchState const& launch) {
  DualViews& k = known();
  if (!k.any) return;
  std::lock_guard const lock(k.mutex);
  for (DualView* const dual : held_by(launch, k)) check(launch, *dual);
}

}  // namespace teamsan
