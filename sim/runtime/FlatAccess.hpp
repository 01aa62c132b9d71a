// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses of a flat launch's lanes to device memory, joined into the global shadow (memory/FlatWord.hpp). In line is what
/// most of them meet: nobody has touched the words, or this lane alone, or they are only read. Each is one pass over one
/// 8-byte word for 4 of data, without a lock; with several workers, what changes a word does so by compare-and-exchange.
#pragma once

#include <teamsan/sim/memory/FlatShadow.hpp>
#include <teamsan/sim/memory/GlobalShadow.hpp>
#include <teamsan/sim/memory/Hot.hpp>

#include <bit>
#include <cstdint>

namespace teamsan {

[[gnu::cold]] void spinning(std::uintptr_t pc, bool atomic);

namespace flat {

/// False: another worker was there first, at some of them.
template <unsigned words>
[[gnu::always_inline]] inline bool replace(std::uint64_t* main, std::uint64_t expected, std::uint64_t next) {
  if (!hot.flat_shared) [[likely]] {
    for (unsigned i = 0; i != words; ++i) __atomic_store_n(main + i, next, __ATOMIC_RELAXED);
    return true;
  }
#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16  // both words of a double by one instruction: each waits for its cache line
  if constexpr (words == 2) {
    __extension__ using Both = unsigned __int128;
    auto const both = [](std::uint64_t word) { return Both{word} << 64 | word; };
    return __sync_bool_compare_and_swap(reinterpret_cast<Both*>(main), both(expected), both(next));
  }
#endif
  for (unsigned i = 0; i != words; ++i) {
    std::uint64_t seen = expected;
    if (!__atomic_compare_exchange_n(main + i, &seen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return false;
  }
  return true;
}

/// The same is known of all words of the access.
template <unsigned words>
[[gnu::always_inline]] inline bool alike(std::uint64_t const* main, std::uint64_t first) {
  std::uint64_t differs = 0;
  for (unsigned i = 1; i != words; ++i) differs |= __atomic_load_n(main + i, __ATOMIC_RELAXED) ^ first;
  return differs == 0;
}

/// May words there be claimed, by this instruction? The instruction's field; 0: it is not known.
template <unsigned bytes>
[[gnu::always_inline]] inline bool knows(std::uintptr_t address, std::uint32_t pc, std::uint64_t& place) {
  FlatTable const& table = *hot.flat_table;
  FlatTable::Window const& window = table.window(address);
  FlatTable::Site const& site = table.site(pc);
  place = std::uint64_t{site.place} << place_shift;
  return address - window.begin < window.room[std::countr_zero(bytes) - 2] && site.pc == pc;
}

/// True if the access is joined.
template <unsigned bytes>
[[gnu::always_inline]] inline bool read_quickly(std::uintptr_t address, std::uint32_t pc, bool& again) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::cell(address);
  std::uint64_t const word = __atomic_load_n(main, __ATOMIC_RELAXED), mine = hot.flat_word;
  if (!alike<words>(main, word)) [[unlikely]] return false;
  if (((word ^ mine) & launch_mask) != 0) {
    std::uint64_t place;
    if (init_of_untouched(word) != 15 || !knows<bytes>(address, pc, place)) [[unlikely]] return false;
    return replace<words>(main, word, mine | init_mask | read | place);
  }
  if (((word ^ mine) & (owner_mask | aside | atomic | busy)) == 0) {
    std::uint64_t place;
    if (word & read) [[likely]] return again = true;
    return knows<bytes>(address, pc, place) && replace<words>(main, word, word | read | place << 8);
  }
  if ((word & (std::uint64_t{1} | written | aside | busy)) != 1) return false;
  if (!(word & many)) {
    std::uint64_t place;
    if (!knows<bytes>(address, pc, place)) return false;
    place <<= second_place_shift - place_shift;
    if (hot.flat_shared) return false;
    for (unsigned i = 0; i != words; ++i) global_shadow::extra(address)[i] = hot.flat_lane;
    return replace<words>(main, word, word | many | place);
  }
  if (!hot.flat_shared) [[likely]] return true;  // lanes come in their order
  std::uint32_t const* const extra = global_shadow::extra(address);
  bool known = true;
  for (unsigned i = 0; i != words; ++i) known &= __atomic_load_n(extra + i, __ATOMIC_ACQUIRE) <= hot.flat_lane;
  return known;
}

template <unsigned bytes>
[[gnu::always_inline]] inline bool write_quickly(std::uintptr_t address, std::uint32_t pc) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::cell(address);
  std::uint64_t const word = __atomic_load_n(main, __ATOMIC_RELAXED), mine = hot.flat_word;
  if (!alike<words>(main, word)) [[unlikely]] return false;
  bool const untouched = ((word ^ mine) & launch_mask) != 0;
  if (!untouched) {
    if (((word ^ mine) & (owner_mask | many | aside | atomic | busy)) != 0) [[unlikely]] return false;
    if (word & written) return true;
  }
  std::uint64_t place;
  if (!knows<bytes>(address, pc, place)) [[unlikely]] return false;
  std::uint64_t const next = untouched ? mine | init_of_untouched(word) << 6
                                       : (word & ~places) | (word & std::uint64_t{0xff} << place_shift) << 8;
  return replace<words>(main, word, next | written | place);
}

/// With several workers, of words that lanes only read, or (`kind`) only update: not all come in their order.
template <unsigned bytes>
bool join_alike(std::uintptr_t address, AccessKind kind, std::uint32_t pc) {
  std::uint64_t place;
  if (!hot.flat_shared || !knows<bytes>(address, pc, place)) return false;
  bool joined = true;
  for (unsigned i = 0; i != bytes / 4; ++i)
    joined =
        joined && hot.flat_shadow->join_alike(address + 4 * i, kind, hot.flat_lane, static_cast<Place>(place >> place_shift));
  return joined;
}

/// Of an atomic update whose result depends on the old value: such as an addition.
template <unsigned bytes>
inline bool update_quickly(std::uintptr_t address, std::uint32_t pc) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::cell(address);
  std::uint64_t const word = __atomic_load_n(main, __ATOMIC_RELAXED), mine = hot.flat_word;
  if (address % bytes != 0 || !alike<words>(main, word)) return false;
  std::uint64_t place;
  if (((word ^ mine) & launch_mask) != 0) {
    if (init_of_untouched(word) != 15 || !knows<bytes>(address, pc, place)) return false;
    return replace<words>(main, word, mine | init_mask | written | atomic | place);
  }
  if ((word & (std::uint64_t{1} | aside | atomic | busy)) != (std::uint64_t{1} | atomic)) return false;
  if (((word ^ mine) & owner_mask) == 0) return true;
  if (!(word & many)) {
    if (!knows<bytes>(address, pc, place)) return false;
    if (hot.flat_shared) {
      if (!join_alike<bytes>(address, AccessKind::atomic_write, pc)) return false;
    } else {
      for (unsigned i = 0; i != words; ++i) global_shadow::extra(address)[i] = hot.flat_lane;
      replace<words>(main, word, word | many | place << (second_place_shift - place_shift));
    }
  } else if (hot.flat_shared) {
    std::uint32_t const* const extra = global_shadow::extra(address);
    bool known = true;
    for (unsigned i = 0; i != words; ++i) known &= __atomic_load_n(extra + i, __ATOMIC_ACQUIRE) <= hot.flat_lane;
    if (!known && !join_alike<bytes>(address, AccessKind::atomic_write, pc)) return false;
  }
  FlatTable::Site& site = hot.flat_table->site(pc);
  if (site.pc != pc || site.shared != FlatTable::shared_by_all)
    hot.flat_table->note_shared(pc, lane_of(word), hot.flat_lane, *hot.flat_shadow);
  return true;
}

}  // namespace flat
}  // namespace teamsan
