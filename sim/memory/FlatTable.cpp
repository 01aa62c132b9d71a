// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FlatTable.hpp"

#include "Allocations.hpp"
#include "GlobalShadow.hpp"
#include "../base/OfThread.hpp"
#include "../places/Sites.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

namespace teamsan {

namespace {

void mark_dirty(std::uintptr_t begin, std::uintptr_t end) {
  constexpr std::uintptr_t step = 4 * 1024;  // of which global_shadow knows apart which it has to fold
  for (std::uintptr_t at = begin; at < end; at += step) global_shadow::mark_dirty(at);
  global_shadow::mark_dirty(end - 1);
}

}  // namespace

FlatTable& FlatTable::of_this_thread() {
  thread_local constinit OfThread<FlatTable> table;  // too large for what each thread of the program sets aside on its stack
  return *table;
}

FlatTable& FlatTable::blind() {
  static FlatTable table{};
  return table;
}

void FlatTable::begin_team(std::uint64_t launch_number, bool first) {
  of_first_team = first;
  bool const new_launch = std::exchange(launch, launch_number) != launch_number;
  std::uint64_t const freed_now = freed_allocations();  // by another host thread, maybe
  if (std::exchange(freed, freed_now) == freed_now && !new_launch) return;
  std::memset(windows, 0, sizeof(windows));
  forget_instructions();
}

void FlatTable::forget_instructions() {
  for (std::uint32_t i = 0; i != used_slots; ++i) instructions[used[i]] = {};
  used_slots = 0;
  for (std::uint32_t i = 0; i != used_displaced_slots; ++i) displaced[used_displaced[i]] = {};
  used_displaced_slots = 0;
  if (std::exchange(has_updates, false)) std::fill(std::begin(updates), std::end(updates), Instruction{});
  for (std::uint32_t i = 0; i != used_slots_in_line; ++i) in_line.sites[used_in_line[i]] = {};
  used_slots_in_line = 0;
}

void FlatTable::know_in_line([[maybe_unused]] std::uint32_t number, [[maybe_unused]] std::uintptr_t return_address) {
#ifndef TEAMSAN_SMALL_ARENA  // checks in line are made for the other one
  std::uint32_t const slot = number % teamsan_flat_sites;
  Instruction const& s = at(site_at(return_address));
  if (in_line.sites[slot].pc == 0) used_in_line[used_slots_in_line++] = static_cast<std::uint16_t>(slot);
  in_line.sites[slot] = {s.begin, s.room, s.place_bits, return_address};
#endif
}

bool FlatTable::learn_window(std::uintptr_t address, std::uint32_t bytes, std::uint32_t context) {
  Allocation const* const a = find_allocation(address);
  if (a == nullptr || !a->live || a->closed_to(context)) return false;
  if (address < a->data() || address + bytes > a->end()) return false;
  mark_dirty(address, address + bytes);
  std::uintptr_t const chunk = address >> window_shift << window_shift;
  std::uintptr_t const begin = std::max(chunk, (a->data() + 3) / 4 * 4);
  std::uintptr_t const end = std::min(chunk + (std::uintptr_t{1} << window_shift), a->end());
  if (end <= begin) return true;
  mark_dirty(begin, end);
  Window& w = windows[address >> window_shift & 63];
  w.begin = begin;
  for (unsigned i = 0; i != 3; ++i)
    w.room[i] = static_cast<std::uint32_t>(std::max<std::uintptr_t>(end - begin, (4u << i) - 1) - ((4u << i) - 1));
  return true;
}

void FlatTable::learn_place(Site site, flat::Place place, AtomicPart part) {
  Instruction& s = at(site);
  if (s.site == site) return;
  if (s.site == Site{})
    used[used_slots++] = static_cast<std::uint16_t>(slot(site));
  else
    displace(s);
  s = {0, 0, site, FlatWord::place_bits_of(place), 0, 0, may_be_pool, part, false};
}

void FlatTable::displace(Instruction const& instruction) {
  std::uint32_t const slot = displaced_slot(instruction.site);
  if (displaced[slot].site == Site{}) used_displaced[used_displaced_slots++] = static_cast<std::uint16_t>(slot);
  displaced[slot] = instruction;
}

void FlatTable::bring_back(Site site) {
  Instruction const known = displaced[displaced_slot(site)];
  if (known.site != site) return;
  displace(at(site));
  at(site) = known;
}

FlatTable::Instruction* FlatTable::aim_update(std::uintptr_t address, Site site, int width) {
  if (!knows(address, site, width)) return nullptr;
  Instruction& update = updates[update_slot(site)];
  if (update.site != site) update = at(site);
  update.shared = at(site).shared;
  has_updates = true;
  return aim(update, address, site, width) ? &update : nullptr;
}

bool FlatTable::aim(Instruction& s, std::uintptr_t address, Site site, int width) {
  if (!knows(address, site, width) || at(site).place() == flat::unknown_place) return false;
  unsigned const words = of_words(width);
  std::uintptr_t begin = window(address).begin, end = begin + window(address).room[words] + (4u << words) - 1;
  constexpr std::uint32_t often = 64;
  if (++s.aimed % often == 0 && !of_first_team) {
    Allocation const* const a = find_allocation(address);
    std::uintptr_t const chunks = a == nullptr ? 0 : (a->end() - a->data()) >> window_shift;
    if (a != nullptr && chunks / 8 <= s.aimed) {
      begin = a->data();
      end = a->end();
      mark_dirty(begin, end);
    }
  }
  s.pool = may_be_pool;
  s.begin = (begin + 15) / 16 * 16;
  s.room = end <= s.begin ? 0
                          : static_cast<std::uint32_t>(std::min<std::uintptr_t>((end - s.begin) >> (2 + width),
                                                                                std::numeric_limits<std::uint32_t>::max()));
  return ((address - s.begin) >> (2 + width)) < s.room;
}

bool FlatTable::note_shared(Site site, bool of_team) {
  std::uint8_t& shared = at(site).shared;
  std::uint8_t const bit = of_team ? 1 : 2;
  if (at(site).site != site || (shared & bit)) return false;
  shared |= bit;
  return true;
}

}  // namespace teamsan
