// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GlobalShadow.hpp"

#include "../base/PatientMutex.hpp"
#include "Initialised.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace teamsan::global_shadow {

namespace {

constexpr std::size_t chunk_bytes = 64 * 1024, part_bytes = dirty_part_bytes;  // of program memory

struct State {
  PatientMutex mutex;  ///< what host threads do to `init`, and folding
  std::uint32_t epoch = 0;
  using Parts = std::atomic<std::uint16_t>;  ///< of a chunk, a bit each
  static_assert(chunk_bytes / part_bytes == 16);
  /// By calloc: pages of it that nobody needs are never there.
  Parts* const dirty = static_cast<Parts*>(std::calloc(arena::global_bytes / chunk_bytes, sizeof(Parts)));
  std::vector<std::size_t> dirty_list;
  std::unordered_map<std::uintptr_t, std::array<GlobalWord, 4>> split;
};

State& state() {
  static State* const s = new State;  // lives until the very end: reports are written from exit handlers
  return *s;
}

void fold(std::uint64_t& main) {
  std::uint64_t const folded = ((main >> 6 | main >> 34) & 15) << 6;
  if (main != folded) main = folded;  // freed memory's pages stay with the system
}

void fold_all_dirty() {
  State& s = state();
  std::lock_guard const lock(s.mutex);
  for (std::size_t const chunk : s.dirty_list) {
    std::uint32_t const parts = s.dirty[chunk].exchange(0);
    for (unsigned i = 0; i != chunk_bytes / part_bytes; ++i) {
      std::uint64_t* const first = cell(arena::global + chunk * chunk_bytes + i * part_bytes);
      if (parts >> i & 1) std::for_each(first, first + part_bytes / 4, fold);
    }
  }
  s.dirty_list.clear();
}

}  // namespace

void mark_initialised(std::uintptr_t address, std::size_t bytes) {
  if (is_initialised_unseen(address)) return;
  std::lock_guard const lock(state().mutex);
  std::uintptr_t const end = address + bytes;
  auto const bytes_until = [&](std::uintptr_t until) {
    for (; address < until; ++address) *cell(address & ~std::uintptr_t{3}) |= std::uint64_t{1} << (6 + (address & 3));
  };
  bytes_until(std::min(end, (address + 3) & ~std::uintptr_t{3}));
  std::uint64_t* word = cell(address);
  std::uint64_t* const last = word + (end - address) / 4;
  while (word != last) {
    // Written before it is read: a page that is new comes to be once, and not as zeros for reading first.
    __atomic_fetch_or(word, std::uint64_t{15} << 6, __ATOMIC_RELAXED);
    constexpr std::uintptr_t page = 4096;
    auto* const next = reinterpret_cast<std::uint64_t*>((reinterpret_cast<std::uintptr_t>(word) / page + 1) * page);
    std::uint64_t* const until = std::min(next, last);
    for (++word; word != until; ++word) {
      std::atomic_ref const main(*word);  // a launch that ends may look at what lies beside its own
      main.store(main.load(std::memory_order_relaxed) | std::uint64_t{15} << 6, std::memory_order_relaxed);
    }
  }
  address = std::max(address, end & ~std::uintptr_t{3});
  bytes_until(end);
}

void reset(std::uintptr_t address, std::size_t bytes) {
  initialised::forget(address, address + bytes);
  std::lock_guard const lock(state().mutex);
  constexpr std::size_t few = 64 * 1024;
  std::uintptr_t const first = reinterpret_cast<std::uintptr_t>(cell(address));
  std::uintptr_t const last = reinterpret_cast<std::uintptr_t>(cell(address) + (bytes + 3) / 4);
  // Untouched shadow is zero already; storing zeros would make its pages cost memory, and reading all of it takes time.
  auto const clear = [](std::uintptr_t begin, std::uintptr_t end) {
    for (auto* c = reinterpret_cast<std::uint64_t*>(begin); c != reinterpret_cast<std::uint64_t*>(end); ++c)
      if (*c != 0) *c = 0;
  };
  if (last - first < few) return clear(first, last);
  AddressRange const pages = arena::whole_pages(first, last - first);
  clear(first, pages.begin);
  arena::discard(pages.begin, pages.bytes());
  clear(pages.end, last);
}

void discard(std::uintptr_t address, std::size_t bytes) {
  initialised::forget(address, address + bytes);
  arena::discard(reinterpret_cast<std::uintptr_t>(cell(address)), bytes * 2);
  arena::discard(reinterpret_cast<std::uintptr_t>(extra(address)), bytes);
  arena::discard(reinterpret_cast<std::uintptr_t>(ticks(address)), bytes);
}

void copy_init(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  auto const init_of = [](std::uintptr_t address) -> std::uint64_t {
    if (is_initialised_unseen(address)) return 15;
    std::uint64_t const main = *cell(address);
    return (main >> 6 | main >> 34) & 15;
  };
  if (is_initialised_unseen(to)) return;
  initialised::forget(to, to + bytes);
  std::lock_guard const lock(state().mutex);
  // Between launches: what is known of the destination becomes `init`, nothing else.
  if (to % 4 == 0 && from % 4 == 0 && bytes % 4 == 0) {
    std::uint64_t* const last = cell(to) + bytes / 4;
    if (is_initialised_unseen(from)) return std::fill(cell(to), last, std::uint64_t{15} << 6);
    std::uint64_t const* main = cell(from);
    for (std::uint64_t* word = cell(to); word != last; ++word, ++main) *word = ((*main >> 6 | *main >> 34) & 15) << 6;
    return;
  }
  for (std::size_t i = 0; i != bytes; ++i) {
    std::uint64_t const bit = std::uint64_t{1} << (to + i) % 4;
    std::uint64_t const known = init_of(to + i) & ~bit;
    bool const written = init_of(from + i) >> (from + i) % 4 & 1;
    *cell(to + i) = (written ? known | bit : known) << 6;
  }
}

bool touched_by_launch(std::uintptr_t address, std::size_t bytes) {
  if (!arena::contains(arena::global, arena::global_bytes, address)) return false;
  return std::any_of(cell(address), cell(address + bytes + 3),
                     [epoch = state().epoch](std::uint64_t main) { return ((main ^ epoch) & FlatWord::launch_mask) == 0; });
}

namespace {

bool is_parted(FlatWord w) { return w.is_parted(FlatWord::of_lane(state().epoch, 0)); }

/// The first word of the bytes that the latest launch touched so.
template <class OfFlat, class OfTeams>
std::uintptr_t first_of_launch(std::uintptr_t address, std::size_t bytes, OfFlat of_flat, OfTeams of_teams) {
  for (std::uintptr_t word = address / 4 * 4; word < address + bytes; word += 4) {
    std::uint64_t const main = *cell(word);
    if (((main ^ state().epoch) & FlatWord::launch_mask) != 0) continue;
    FlatWord const flat(main);
    if (flat.is_flat() ? of_flat(flat) : of_teams(unpack(main, *extra(word)))) return word;
  }
  return 0;
}

}  // namespace

std::uintptr_t updated_by_launch(std::uintptr_t address, std::size_t bytes) {
  return first_of_launch(
      address, bytes,
      [](FlatWord w) { return is_parted(w) ? w.bytes_written() != 0 && !w.is_used_plainly() : w.is_only_updated(); },
      [](GlobalWord const& w) { return w.written != 0 && w.write_atomic && !w.split && (w.read == 0 || w.read_atomic); });
}

std::uintptr_t read_by_launch(std::uintptr_t address, std::size_t bytes) {
  return first_of_launch(
      address, bytes, [](FlatWord w) { return is_parted(w) ? w.bytes_written() == 0 : w.is_only_read(); },
      [](GlobalWord const& w) { return w.written == 0 && w.read != 0 && !w.split; });
}

std::uint32_t next_epoch() {
  State& s = state();
  s.split.clear();
  if ((s.epoch += 2) > last_epoch) {
    fold_all_dirty();
    s.epoch = 2;
  }
  return s.epoch;
}

void mark_dirty(std::uintptr_t line_address) {
  State& s = state();
  std::uintptr_t const at = line_address - arena::global;
  State::Parts& parts = s.dirty[at / chunk_bytes];
  auto const part = static_cast<std::uint16_t>(1u << at % chunk_bytes / part_bytes);
  // Once one of its parts is dirty, a chunk is in the list until it is folded, which leaves none dirty.
  for (std::uint16_t dirty = parts.load(std::memory_order_relaxed); dirty != 0;) {
    if ((dirty & part) != 0 || parts.compare_exchange_weak(dirty, static_cast<std::uint16_t>(dirty | part))) return;
  }
  std::lock_guard const lock(s.mutex);
  if (parts.fetch_or(part) == 0) s.dirty_list.push_back(at / chunk_bytes);
}

void for_each_split(std::function<void(std::uintptr_t)> const& f) {
  for (auto const& [word, bytes] : state().split) f(word);
}

GlobalWord* split_word(std::uintptr_t word_address) { return state().split[word_address].data(); }

}  // namespace teamsan::global_shadow
