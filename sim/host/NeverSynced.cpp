// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NeverSynced.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../detect/Uninit.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Hot.hpp"
#include "../places/HostData.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/Mode.hpp"
#include "DualViews.hpp"
#include "HostSide.hpp"
#include "StaleRead.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

/// A DualView to whose device side nothing has come yet.
struct Unsynced {
  std::string label = {};
  std::uintptr_t device = 0, host = 0;
  std::size_t bytes = 0;
  std::uint64_t device_serial = 0, host_serial = 0, flags_serial = 0;  ///< others may lie there later
  std::uint64_t written_at = 0;        ///< the device's side, by its initialisation
  std::vector<Site> calls = {};        ///< to its allocation
  std::vector<Site> modified = {};     ///< the host's calls that declared its side modified; none: nobody did
  unsigned looks = 0;                  ///< so many launches held it
  std::unordered_map<LaneFunction, std::uint64_t> launches_of = {};  ///< of them that arithmetic did not decide, by kernel
  std::optional<Finding> found = {};   ///< to be told if nothing comes there until its end
  bool is_device_gone = false;         ///< and nothing had come there
};

constexpr unsigned most_looks = 32, most_first_teams = 8;

struct AllUnsynced {
  std::mutex mutex;
  std::atomic<bool> any{false};
  std::map<unsigned const*, Unsynced> by_flags;
  std::map<std::uintptr_t, unsigned const*> by_device;  ///< where the device's side is there: each launch, each free asks
};
AllUnsynced& all() {
  static auto* const a = new AllUnsynced;  // outlives exit handlers
  return *a;
}

using Known = std::map<unsigned const*, Unsynced>::iterator;

/// Its device's side is not looked for any more.
void forget_device(AllUnsynced& a, Known it) {
  auto const at = a.by_device.find(it->second.device);
  if (at != a.by_device.end() && at->second == it->first) a.by_device.erase(at);
}
Known forget(AllUnsynced& a, Known it) {
  forget_device(a, it);
  return a.by_flags.erase(it);
}
/// Of which the address lies in the device's side; end: of none.
Known find_by_device(AllUnsynced& a, std::uintptr_t address) {
  auto next = a.by_device.upper_bound(address);
  if (next == a.by_device.begin()) return a.by_flags.end();
  auto const it = a.by_flags.find(std::prev(next)->second);
  bool const is_in = it != a.by_flags.end() && address - it->second.device < it->second.bytes;
  return is_in ? it : a.by_flags.end();
}

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

std::byte const* bytes_at(std::uintptr_t address) { return reinterpret_cast<std::byte const*>(address); }

Allocation const* allocation_of(Unsynced const& u) {
  Allocation const* const a = find_allocation(u.device);
  return a != nullptr && a->live && a->serial == u.device_serial ? a : nullptr;
}

/// Has anything come there, but for what a kernel stores? Allocations are held.
bool is_untouched(Unsynced const& u) {
  Allocation const* const a = allocation_of(u);
  return a != nullptr && a->written_at.load() == u.written_at && !may_be_written_unseen(u.device);
}

bool is_zero(std::byte const* bytes, std::size_t count) {
  return count == 0 || (bytes[0] == std::byte{0} && std::memcmp(bytes, bytes + 1, count - 1) == 0);
}

/// Calls f(byte) for words of so many bytes: all of them, or the first ones and others at even distances.
template <class F>
void for_words(std::size_t bytes, bool some, F&& f) {
  constexpr std::size_t dense = 128 * 4, others = 64;
  std::size_t const first = some ? std::min(bytes, dense) : bytes;
  for (std::size_t at = 0; at + 4 <= first; at += 4) f(at);
  if (first == bytes) return;
  std::size_t const step = std::max<std::size_t>((bytes - first) / others / 4 | 1, 1) * 4;  // odd, in words: no stride's
  for (std::size_t at = first / 4 * 4; at + 4 <= bytes; at += step) f(at);
}

/// Bytes of the word that the host's side has, and the device's has not: a mask.
unsigned filled_on_host(Unsynced const& u, std::size_t at) {
  std::uint32_t host, device;
  std::memcpy(&host, bytes_at(u.host) + at, 4);
  std::memcpy(&device, bytes_at(u.device) + at, 4);
  if (host == 0 || device != 0) return 0;
  unsigned mask = 0;
  for (unsigned i = 0; i != 4; ++i) mask |= static_cast<unsigned>(bytes_at(u.host)[at + i] != std::byte{0}) << i;
  return mask;
}

/// Of an element of fewer bytes than a word, others may lie in the same word.
bool reads_some_of(unsigned filled, detect::WordAccess const& reader, std::uint32_t element_bytes) {
  if (reader.writes || reader.atomic) return false;
  if (element_bytes >= 4) return filled != 0;
  return reader.bytes_known ? (filled & reader.bytes) != 0 : filled == 15;
}

struct Look {
  bool is_written = false;  ///< a lane has, and it may be there for something else
  std::optional<std::size_t> read = {};  ///< the first byte that was, and that the host has filled
  std::uint64_t elements = 0;
};
Look look(detect::LaunchWords const& words, Unsynced const& u, std::uint32_t element_bytes, bool some) {
  Look seen;
  std::uint64_t last_element = ~std::uint64_t{0};
  for_words(u.bytes, some, [&](std::size_t at) {
    if (words.may_be_written(u.device + at)) seen.is_written = true;
    unsigned const filled = filled_on_host(u, at);
    if (filled == 0) return;
    std::optional<detect::WordAccess> const reader = words.access(u.device + at);
    if (!reader || !reads_some_of(filled, *reader, element_bytes)) return;
    if (!seen.read) seen.read = at;
    std::uint64_t const element = at / std::max<std::uint32_t>(element_bytes, 4);
    seen.elements += element != last_element;
    last_element = element;
  });
  return seen;
}

/// False: it is silent from now on.
bool goes_on(LaunchState const& launch, std::optional<detect::LaunchWords>& words, unsigned const* flags, Unsynced& u) {
  if (!launch.checked || !is_untouched(u) || host_data_serial(u.host) != u.host_serial) return false;
  if (serial_of(flags) != u.flags_serial) return false;
  if (!u.found && ++u.looks > most_looks) return false;
  // What a decided launch stores is noted elsewhere. Of others, one kernel's launches do alike.
  bool const is_small = u.bytes <= std::size_t{256} << 10;
  bool const whole = !launch.is_decided && std::has_single_bit(++u.launches_of[launch.function]) && (u.found || is_small);
  if (u.found && !whole) return true;
  std::uint32_t const element_bytes = allocation_of(u)->shape.element_bytes;
  if (!words) words.emplace(launch);
  Look seen = look(*words, u, element_bytes, !whole);
  if (!seen.is_written && seen.read && !u.found && !whole) seen = look(*words, u, element_bytes, false);
  if (seen.is_written) return false;
  if (u.found || !seen.read) return true;
  detect::WordAccess const reader = *words->access(u.device + *seen.read);
  std::size_t const element = *seen.read / element_bytes * element_bytes;
  detect::RawFinding f = stale_read(u.device + (element_bytes > 4 ? element : *seen.read), reader);
  f.severity = Severity::warning;
  f.title = "a kernel reads what only the host's side of a DualView was filled with";
  f.count = seen.elements;
  u.found = detect::finish(std::move(f), launch.facts);
  u.found->teams_at_least = true;
  u.found->count_at_least = launch.is_decided;
  return true;
}

/// Calls f(flags, of) for those of which the launch's functor holds an address on the device, each once; false: forgets it.
template <class F>
void for_held(LaunchState const& launch, AllUnsynced& a, F&& f) {
  auto const* const functor = static_cast<std::byte const*>(launch.kernel);
  std::vector<unsigned const*> met;
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= launch.kernel_bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, functor + at, sizeof word);
    if (!arena::contains(arena::device, arena::device_bytes, word)) continue;
    Known const it = find_by_device(a, word);
    if (it == a.by_flags.end() || std::ranges::find(met, it->first) != met.end()) continue;
    met.push_back(it->first);
    if (!f(it->first, it->second)) forget(a, it);
  }
  a.any = !a.by_flags.empty();
}

/// A DualView that is made of Views allocates its flags alone, and the next View with a mirror is none of its. Asked late: to
/// look up names takes a while.
bool is_made_by_dual_view(Unsynced const& u) {
  for (Site const site : u.calls)
    for (Frame const& frame : program().frames(site)) {
      if (!frame.internal && frame.line != 0) return false;  // whatever the user's own is called
      if (frame.function.find("DualView") != std::string::npos) return true;
    }
  return true;  // nothing is known of lines
}

/// The DualView has ended. Not under the lock: to tell may end the program.
void end(unsigned const* flags, Unsynced& u) {
  if (!u.found) return;
  AllocationsHeld const held;
  if (!u.is_device_gone && (!is_untouched(u) || !is_zero(bytes_at(u.device), u.bytes))) return;
  bool const declared = !u.modified.empty();
  if (declared ? flags[0] <= flags[1] : flags[0] != 0 || flags[1] != 0) return;  // its owner has seen to it
  if (!is_made_by_dual_view(u)) return;
  Finding& f = *u.found;
  f.why = {because(declared ? Reason::never_synced : Reason::never_modified, u.label)};
  f.fix = remedy(declared ? Cure::sync_device : Cure::modify_and_sync);
  if (declared) f.sides.push_back(side_of_host("modified on the host", u.modified));
  report(std::move(f));
}

}  // namespace

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
  AllUnsynced& k = all();
  std::lock_guard const lock(k.mutex);
  if (Known const old = k.by_flags.find(made.flags); old != k.by_flags.end()) forget(k, old);
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
  AllUnsynced& k = all();
  if (!k.any.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  std::lock_guard const lock(k.mutex);
  auto const found = k.by_flags.find(sides.flags);
  if (found == k.by_flags.end()) return;
  if (sides.flags[0] <= sides.flags[1]) {
    forget(k, found);
    k.any = !k.by_flags.empty();
  } else if (found->second.modified.empty() || !found->second.found) {
    found->second.modified = program().stack();
  }
}

void end_part_of_dual_view(void const* host) {
  AllUnsynced& k = all();
  if (!k.any.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  std::map<unsigned const*, Unsynced>::node_type ended;
  {
    std::lock_guard const lock(k.mutex);
    Known const at = k.by_flags.find(static_cast<unsigned const*>(host));
    if (at == k.by_flags.end()) return;
    forget_device(k, at);
    ended = k.by_flags.extract(at);
    k.any = !k.by_flags.empty();
  }
  if (!ended.empty()) end(ended.key(), ended.mapped());
}

void end_device_side(void const* begin) {
  AllUnsynced& k = all();
  if (!k.any.load(std::memory_order_relaxed)) return;
  RuntimeScope const scope;
  AllocationsHeld const held;
  Allocation const* const a = find_allocation(reinterpret_cast<std::uintptr_t>(begin));
  if (a == nullptr) return;
  std::lock_guard const lock(k.mutex);
  Known const it = find_by_device(k, a->data());
  if (it == k.by_flags.end() || it->second.device_serial != a->serial) return;
  Unsynced& u = it->second;
  u.is_device_gone = u.found && is_untouched(u) && is_zero(bytes_at(u.device), u.bytes);
  u.is_device_gone ? forget_device(k, it) : static_cast<void>(forget(k, it));
  k.any = !k.by_flags.empty();
}

void end_dual_views() {
  AllUnsynced& k = all();
  std::map<unsigned const*, Unsynced> ended;
  {
    std::lock_guard const lock(k.mutex);
    ended.swap(k.by_flags);
    k.by_device.clear();
    k.any = false;
  }
  for (auto& [flags, u] : ended)
    if (serial_of(flags) == u.flags_serial) end(flags, u);
}

bool may_read_never_synced(LaunchState const& launch) {
  AllUnsynced& k = all();
  if (!k.any.load(std::memory_order_relaxed)) return false;
  std::lock_guard const lock(k.mutex);
  bool may = false;
  for_held(launch, k, [&](unsigned const*, Unsynced const& u) {
    may = may || (!u.found && u.looks < most_first_teams);
    return true;
  });
  return may;
}

void look_for_never_synced(LaunchState const& launch) {
  AllUnsynced& k = all();
  if (!k.any.load(std::memory_order_relaxed)) return;
  std::optional<detect::LaunchWords> words;
  AllocationsHeld const held;
  std::lock_guard const lock(k.mutex);
  for_held(launch, k, [&](unsigned const* flags, Unsynced& u) { return goes_on(launch, words, flags, u); });
}

}  // namespace teamsan
