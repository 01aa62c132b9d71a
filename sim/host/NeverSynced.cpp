// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NeverSynced.hpp"

#include "../base/Arena.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../places/HostData.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"
#include "HostSide.hpp"
#include "StaleRead.hpp"
#include "UnsyncedViews.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

constexpr unsigned most_looks = 32, most_first_teams = 8;

std::byte const* bytes_at(std::uintptr_t address) { return reinterpret_cast<std::byte const*>(address); }

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
unsigned filled_on_host(UnsyncedView const& u, std::size_t at) {
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
Look look(detect::LaunchWords const& words, UnsyncedView const& u, std::uint32_t element_bytes, bool some) {
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
bool goes_on(LaunchState const& launch, std::optional<detect::LaunchWords>& words, unsigned const* flags, UnsyncedView& u) {
  if (!launch.checked || !u.is_untouched() || host_data_serial(u.host) != u.host_serial) return false;
  if (host_data_serial(reinterpret_cast<std::uintptr_t>(flags)) != u.flags_serial) return false;
  if (!u.found && ++u.looks > most_looks) return false;
  // What a decided launch stores is noted elsewhere. Of others, one kernel's launches do alike.
  bool const is_small = u.bytes <= std::size_t{256} << 10;
  bool const whole = !launch.is_decided && std::has_single_bit(++u.launches_of[launch.function]) && (u.found || is_small);
  if (u.found && !whole) return true;
  std::uint32_t const element_bytes = u.allocation()->shape.element_bytes;
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
void for_held(LaunchState const& launch, UnsyncedViews& a, F&& f) {
  auto const* const functor = static_cast<std::byte const*>(launch.kernel);
  std::vector<unsigned const*> met;
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= launch.kernel_bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word;
    std::memcpy(&word, functor + at, sizeof word);
    if (!arena::contains(arena::device, arena::device_bytes, word)) continue;
    auto const it = a.find_by_device(word);
    if (it == a.by_flags.end() || std::ranges::find(met, it->first) != met.end()) continue;
    met.push_back(it->first);
    if (!f(it->first, it->second)) a.forget(it);
  }
  a.any = !a.by_flags.empty();
}

/// A DualView that is made of Views allocates its flags alone, and the next View with a mirror is none of its. Asked late: to
/// look up names takes a while.
bool is_made_by_dual_view(UnsyncedView const& u) {
  for (Site const site : u.calls)
    for (Frame const& frame : program().frames(site)) {
      if (!frame.internal && frame.line != 0) return false;  // whatever the user's own is called
      if (frame.function.find("DualView") != std::string::npos) return true;
    }
  return true;  // nothing is known of lines
}

}  // namespace

void tell_never_synced(unsigned const* flags, UnsyncedView& u) {
  if (!u.found) return;
  AllocationsHeld const held;
  if (!u.is_device_gone && (!u.is_untouched() || !u.are_all_zeros())) return;
  bool const declared = !u.modified.empty();
  if (declared ? flags[0] <= flags[1] : flags[0] != 0 || flags[1] != 0) return;  // its owner has seen to it
  if (!is_made_by_dual_view(u)) return;
  Finding& f = *u.found;
  f.why = {because(declared ? Reason::never_synced : Reason::never_modified, u.label)};
  f.fix = remedy(declared ? Cure::sync_device : Cure::modify_and_sync);
  if (declared) f.sides.push_back(side_of_host("modified on the host", u.modified));
  report(std::move(f));
}

bool may_read_never_synced(LaunchState const& launch) {
  UnsyncedViews& k = UnsyncedViews::instance();
  if (!k.any.load(std::memory_order_relaxed)) return false;
  std::lock_guard const lock(k.mutex);
  bool may = false;
  for_held(launch, k, [&](unsigned const*, UnsyncedView const& u) {
    may = may || (!u.found && u.looks < most_first_teams);
    return true;
  });
  return may;
}

void look_for_never_synced(LaunchState const& launch) {
  UnsyncedViews& k = UnsyncedViews::instance();
  if (!k.any.load(std::memory_order_relaxed)) return;
  std::optional<detect::LaunchWords> words;
  AllocationsHeld const held;
  std::lock_guard const lock(k.mutex);
  for_held(launch, k, [&](unsigned const* flags, UnsyncedView& u) { return goes_on(launch, words, flags, u); });
}

}  // namespace teamsan
