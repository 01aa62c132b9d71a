// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses of a flat launch's lanes to device memory, joined into the global shadow (memory/FlatWord.hpp). In line is what
/// most of them meet: nobody has touched the words, or this lane alone, or they are only read. Each is one pass over one
/// 8-byte word for 4 of data, without a lock; where several workers come, what changes a word does so by compare-and-exchange.
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
template <unsigned words, bool shared>
[[gnu::always_inline]] inline bool replace(std::uint64_t* main, std::uint64_t expected, std::uint64_t next) {
  if constexpr (!shared) {
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

/// Several lanes did the same to the word: are the first two of them before the running one, or it itself?
template <unsigned words>
[[gnu::always_inline]] inline bool comes_later(std::uintptr_t address) {
  std::uint32_t const* const extra = global_shadow::aligned_extra(address);
  bool later = true;
  for (unsigned i = 0; i != words; ++i) later &= __atomic_load_n(extra + i, __ATOMIC_ACQUIRE) <= hot.flat_lane;
  return later;
}

/// The same is known of all words of the access.
template <unsigned words>
[[gnu::always_inline]] inline bool alike(std::uint64_t const* main, std::uint64_t first) {
  std::uint64_t differs = 0;
  for (unsigned i = 1; i != words; ++i) differs |= __atomic_load_n(main + i, __ATOMIC_RELAXED) ^ first;
  return differs == 0;
}

/// The instruction, if it is known and may touch what is there.
template <unsigned bytes>
[[gnu::always_inline]] inline FlatTable::Site const* site_at(std::uintptr_t address, std::uint32_t pc) {
  constexpr unsigned width = std::countr_zero(bytes) - 2;
  FlatTable::Site const& site = hot.flat_table->site(pc);
  if (site.covers<bytes>(address, pc)) [[likely]] return &site;
  return address % bytes == 0 && hot.flat_table->aim(address, pc, width) ? &site : nullptr;
}

/// The site's place, where a word has its second one.
inline std::uint64_t second_place(FlatTable::Site const& site) {
  return site.place_bits << (second_place_shift - place_shift);
}

/// Among several workers: does this one join it alone, and its lanes in their order? True at once for what it held before.
inline bool holds(std::uintptr_t address) {
  FlatTable& table = *hot.flat_table;
  if (FlatHolds::of(address) == table.shared) return false;
  return table.take(address) && hot.flat_mark != FlatHolds::no_mark;
}

/// True if the access, which the site covers, is joined. `shared`: other workers join theirs at the same time, or lanes do not
/// come in their order.
template <unsigned bytes, bool shared>
[[gnu::always_inline]] inline bool read_at(FlatTable::Site const& site, std::uintptr_t address, bool& again) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::aligned_cell(address);
  std::uint64_t const word = __atomic_load_n(main, __ATOMIC_RELAXED), mine = hot.flat_word;
  if (!alike<words>(main, word)) [[unlikely]] return false;
  if (((word ^ mine) & launch_mask) != 0) {
    if (init_of_untouched(word) != 15) [[unlikely]] return false;
    return replace<words, shared>(main, word, mine | init_mask | read | site.place_bits);
  }
  if (((word ^ mine) & (owner_mask | aside | atomic | busy)) == 0) {
    if (word & read) [[likely]] return again = true;
    return replace<words, shared>(main, word, word | read | second_place(site));
  }
  if ((word & (std::uint64_t{1} | written | aside | busy)) != 1) return false;
  if (!(word & many)) {
    if constexpr (shared) return false;
    for (unsigned i = 0; i != words; ++i) global_shadow::aligned_extra(address)[i] = hot.flat_lane;
    return replace<words, shared>(main, word, word | many | second_place(site));
  }
  return !shared || comes_later<words>(address);  // on one worker lanes come in their order
}

template <unsigned bytes, bool shared>
[[gnu::always_inline]] inline bool write_at(FlatTable::Site const& site, std::uintptr_t address) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::aligned_cell(address);
  std::uint64_t const word = __atomic_load_n(main, __ATOMIC_RELAXED), mine = hot.flat_word;
  if (!alike<words>(main, word)) [[unlikely]] return false;
  if (((word ^ mine) & launch_mask) != 0)
    return replace<words, shared>(main, word, mine | init_of_untouched(word) << 6 | written | site.place_bits);
  if (((word ^ mine) & (owner_mask | many | aside | atomic | busy)) != 0) [[unlikely]] return false;
  if (word & written) return true;
  std::uint64_t const next = (word & ~places) | (word & std::uint64_t{0xff} << place_shift) << 8;
  return replace<words, shared>(main, word, next | written | site.place_bits);
}

/// With several workers, of words that lanes only read, or (`kind`) only update: not all come in their order.
template <unsigned bytes>
bool join_alike(std::uintptr_t address, AccessKind kind, std::uint32_t pc) {
  constexpr unsigned width = std::countr_zero(bytes) - 2;
  if (!hot.flat_shared || !hot.flat_table->knows(address, pc, width)) return false;
  hot.flat_table->take(address);
  bool joined = true;
  for (unsigned i = 0; i != bytes / 4; ++i)
    joined = joined &&
             hot.flat_shadow->join_alike(address + 4 * i, kind, hot.flat_lane, hot.flat_table->site(pc).place());
  return joined;
}

/// Of an atomic update whose result depends on the old value: such as an addition.
template <unsigned bytes, bool shared>
inline bool update_at(FlatTable::Site& site, std::uintptr_t address) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::aligned_cell(address);
  std::uint64_t const word = __atomic_load_n(main, __ATOMIC_RELAXED), mine = hot.flat_word;
  if (!alike<words>(main, word)) return false;
  if (((word ^ mine) & launch_mask) != 0) {
    if (init_of_untouched(word) != 15) return false;
    std::uint64_t const next = mine | init_mask | written | atomic | site.place_bits;
    return replace<words, shared>(main, word, next);
  }
  if ((word & (std::uint64_t{1} | aside | atomic | busy)) != (std::uint64_t{1} | atomic)) return false;
  if (((word ^ mine) & owner_mask) == 0) return true;
  if (!(word & many)) {
    if constexpr (shared) {
      if (!join_alike<bytes>(address, AccessKind::atomic_write, site.pc)) return false;
    } else {
      for (unsigned i = 0; i != words; ++i) global_shadow::aligned_extra(address)[i] = hot.flat_lane;
      replace<words, false>(main, word, word | many | second_place(site));
    }
  } else if constexpr (shared) {
    if (!comes_later<words>(address) && !join_alike<bytes>(address, AccessKind::atomic_write, site.pc)) return false;
  }
  if (site.shared != FlatTable::shared_by_all)
    hot.flat_table->note_shared(site.pc, lane_of(word), hot.flat_lane, *hot.flat_shadow);
  return true;
}

template <unsigned bytes>
inline bool update(FlatTable::Site& site, std::uintptr_t address) {
  return hot.flat_shared && !holds(address) ? update_at<bytes, true>(site, address) : update_at<bytes, false>(site, address);
}

template <unsigned bytes>
inline bool update_quickly(std::uintptr_t address, std::uint32_t pc) {
  FlatTable::Site& site = hot.flat_table->site(pc);
  return site_at<bytes>(address, pc) != nullptr && update<bytes>(site, address);
}

/// By a load: it is never aimed, so that it is told from other loads each time.
template <unsigned bytes>
inline bool load_for_update_quickly(std::uintptr_t address, std::uint32_t pc) {
  return address % bytes == 0 && hot.flat_table->knows(address, pc, std::countr_zero(bytes) - 2) &&
         update<bytes>(hot.flat_table->site(pc), address);
}

}  // namespace flat
}  // namespace teamsan
