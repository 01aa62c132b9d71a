// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Initialised.hpp"

#include "../base/PatientMutex.hpp"
#include "GlobalShadow.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>

namespace teamsan::initialised {

namespace {

struct Known {
  PatientMutex mutex;
  std::atomic<bool> any{false};
  std::map<std::uintptr_t, std::uintptr_t> ranges;  ///< from, up to; none touches another one
};
Known& known() {
  static auto* const k = new Known;  // outlives exit handlers
  return *k;
}

void add(Known& k, std::uintptr_t begin, std::uintptr_t end) {
  if (begin >= end) return;
  auto at = k.ranges.upper_bound(begin);
  if (at != k.ranges.begin() && std::prev(at)->second >= begin) --at;
  while (at != k.ranges.end() && at->first <= end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = k.ranges.erase(at);
  }
  k.ranges.emplace_hint(at, begin, end);
  k.any.store(true, std::memory_order_relaxed);
}

/// Up to where words from this one on are written, whole.
std::uintptr_t written_up_to(std::uintptr_t word, std::uintptr_t end) {
  std::uint64_t const* cell = global_shadow::aligned_cell(word);
  for (; word < end; word += 4, ++cell)
    if (FlatWord(__atomic_load_n(cell, __ATOMIC_RELAXED)).written_so_far() != 15) return word;
  return end;
}

/// Of one word.
bool are_written(std::uintptr_t begin, std::uintptr_t end) {
  if (begin >= end) return true;
  std::uint64_t const cell = __atomic_load_n(global_shadow::cell(begin), __ATOMIC_RELAXED);
  std::uint32_t const bytes = ((1u << (end - begin)) - 1) << begin % 4;
  return (FlatWord(cell).written_so_far() & bytes) == bytes;
}

}  // namespace

bool is_whole(std::uintptr_t begin, std::uintptr_t end) {
  // Bytes of words of which the others may be nobody's.
  if (begin % 4 != 0 || end % 4 != 0) {
    std::uintptr_t const first = (begin + 3) / 4 * 4, last = end / 4 * 4;
    if (first > last) return are_written(begin, end);
    return are_written(begin, first) && are_written(last, end) && (first == last || is_whole(first, last));
  }
  Known& k = known();
  std::lock_guard const lock(k.mutex);
  for (std::uintptr_t from = begin; from < end;) {
    auto const behind = k.ranges.upper_bound(from);
    if (behind != k.ranges.begin() && std::prev(behind)->second > from) {
      from = std::prev(behind)->second;
      continue;
    }
    std::uintptr_t const until = behind == k.ranges.end() ? end : std::min(end, behind->first);
    std::uintptr_t const written = written_up_to(from, until);
    add(k, from, written);
    if (written < until) return false;
    from = until;
  }
  return true;
}

bool are_written(std::uintptr_t begin, std::uintptr_t end, std::uint64_t step, std::size_t bytes) {
  if (step == bytes) step = 0, bytes = end - begin;
  for (std::uintptr_t at = begin; at + bytes <= end; at += step) {
    for (std::uintptr_t word = at & ~std::uintptr_t{3}; word < at + bytes; word += 4)
      if (!are_written(std::max(word, at), std::min(word + 4, at + bytes))) return false;
    if (step == 0) break;
  }
  return true;
}

void note_whole(std::uintptr_t begin, std::uintptr_t end) {
  Known& k = known();
  std::lock_guard const lock(k.mutex);
  add(k, (begin + 3) / 4 * 4, end / 4 * 4);
}

void forget(std::uintptr_t begin, std::uintptr_t end) {
  Known& k = known();
  if (!k.any.load(std::memory_order_relaxed) || begin >= end) return;
  std::lock_guard const lock(k.mutex);
  auto at = k.ranges.lower_bound(begin);
  if (at != k.ranges.begin() && std::prev(at)->second > begin) --at;
  while (at != k.ranges.end() && at->first < end) {
    auto const [from, to] = *at;
    at = k.ranges.erase(at);
    if (from < begin) k.ranges.emplace(from, begin);
    if (to > end) at = k.ranges.emplace(end, to).first;
  }
}

}  // namespace teamsan::initialised
