// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses of a flat launch's lanes to device memory, joined into the global shadow (memory/FlatWord.hpp). In line is what
/// most of them meet: nobody has touched the words, or this lane alone, or they are only read. Each is one pass over one
/// 8-byte word for 4 of data, without a lock; where several workers come, what changes a word does so by compare-and-exchange.
#pragma once

#include "../../traces/Site.hpp"
#include "../machine/UserSite.hpp"
#include "../memory/FlatTouch.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/Hot.hpp"
#include "RangeCells.hpp"

#include <bit>
#include <cstdint>

namespace teamsan {

[[gnu::cold]] void spinning(Site site, bool atomic);

namespace flat {

/// False: another worker was there first, at some of them.
template <unsigned words, bool shared>
[[gnu::always_inline]] inline bool replace(std::uint64_t* main, FlatWord before, FlatWord after) {
  std::uint64_t const expected = before.bits(), next = after.bits();
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
[[gnu::always_inline]] inline bool comes_later(std::uint32_t const* extra) {
  bool later = true;
  for (unsigned i = 0; i != words; ++i) later &= __atomic_load_n(extra + i, __ATOMIC_ACQUIRE) <= hot.flat_lane;
  return later;
}

/// The same is known of all words of the access.
template <unsigned words>
[[gnu::always_inline]] inline bool alike(std::uint64_t const* main, FlatWord word) {
  std::uint64_t const first = word.bits();
  std::uint64_t differs = 0;
  for (unsigned i = 1; i != words; ++i) differs |= __atomic_load_n(main + i, __ATOMIC_RELAXED) ^ first;
  return differs == 0;
}

/// The instruction, if it is known and may touch what is there.
template <unsigned bytes>
[[gnu::always_inline]] inline FlatTable::Instruction const* known_at(std::uintptr_t address, Site site) {
  constexpr int width = std::countr_zero(bytes) - 2;
  FlatTable::Instruction const& at = hot.flat_table->at(site);
  if (at.covers<bytes>(address, site)) [[likely]] return &at;
  return address % bytes == 0 && hot.flat_table->aim(address, site, width) ? &at : nullptr;
}

/// Among several workers: does this one join it alone, and its lanes in their order? True at once for what it held before.
inline bool holds(std::uintptr_t address) {
  FlatTable& table = *hot.flat_table;
  if (FlatHolds::of(address) == table.shared) return false;
  return table.take(address) && hot.flat_mark != FlatHolds::no_mark;
}

[[gnu::always_inline]] inline FlatWord load(std::uint64_t const* main) {
  return FlatWord(__atomic_load_n(main, __ATOMIC_RELAXED));
}
[[gnu::always_inline]] inline FlatWord mine() { return FlatWord(hot.flat_word); }

/// True if the access, which the instruction covers, is joined. `shared`: other workers join theirs at the same time, or lanes
/// do not come in their order. Of so many words, or words of bytes: `extra()` is where their second lanes are, `is_init(word)`
/// whether one that nobody has touched was written before.
template <unsigned words, bool shared, class Extra, class IsInit>
[[gnu::always_inline]] inline bool read_words(FlatTable::Instruction const& at, std::uint64_t* main, Extra extra,
                                              IsInit is_init, bool& again) {
  FlatWord const word = load(main);
  if (!alike<words>(main, word)) [[unlikely]] return false;
  if (word.is_untouched(mine())) {
    if (!is_init(word)) [[unlikely]] return false;
    return replace<words, shared>(main, word, FlatWord::first_read(mine(), at.place_bits));
  }
  if (word.is_own(mine())) {
    if (word.is_read()) [[likely]] return again = true;
    return replace<words, shared>(main, word, word.own_read(at.place_bits));
  }
  if (!word.is_only_read()) return false;
  // A word is one lane's once, and many's from then on. Not [[unlikely]]: a table that is read at random would pay for it.
  if (__builtin_expect_with_probability(!word.is_of_many(), 0, 0.75)) {
    if constexpr (shared) return false;
    for (unsigned i = 0; i != words; ++i) extra()[i] = hot.flat_lane;
    return replace<words, shared>(main, word, word.second_lane(at.place_bits));
  }
  return !shared || comes_later<words>(extra());  // on one worker lanes come in their order
}

template <unsigned bytes, bool shared>
[[gnu::always_inline]] inline bool read_at(FlatTable::Instruction const& at, std::uintptr_t address, bool& again) {
  auto const extra = [&] { return global_shadow::aligned_extra(address); };
  auto const is_init = [](FlatWord word) { return word.init_of_untouched() == 15; };
  return read_words<bytes / 4, shared>(at, global_shadow::aligned_cell(address), extra, is_init, again);
}

/// By this lane, to words that are its own alone.
template <unsigned words, bool shared>
[[gnu::always_inline]] inline bool write_words(FlatTable::Instruction const& at, std::uint64_t* main) {
  FlatWord const word = load(main);
  if (!alike<words>(main, word)) [[unlikely]] return false;
  if (word.is_untouched(mine())) return replace<words, shared>(main, word, word.first_write(mine(), at.place_bits));
  if (!word.is_own_alone(mine())) [[unlikely]] return false;
  return word.is_written() || replace<words, shared>(main, word, word.own_write(at.place_bits));
}

template <unsigned bytes, bool shared>
[[gnu::always_inline]] inline bool write_at(FlatTable::Instruction const& at, std::uintptr_t address) {
  return write_words<bytes / 4, shared>(at, global_shadow::aligned_cell(address));
}

/// Of one or two bytes: words of their own (ByteWords.hpp), of a word that is parted for it where nobody has touched it.
template <unsigned bytes, AccessKind kind, bool shared>
[[gnu::always_inline]] inline bool bytes_at(FlatTable::Instruction const& at, std::uintptr_t address, bool& again) {
  std::uintptr_t const first = address & ~std::uintptr_t{3};
  ByteWords::Place const place = hot.flat_shadow->bytes().find(address);
  std::uint64_t* const main = place.main;
  if (main == nullptr) [[unlikely]] return false;
  std::uint64_t* const whole = global_shadow::aligned_cell(first);
  FlatWord word = load(whole);
  std::uint64_t const mask = ((std::uint64_t{1} << bytes) - 1) << address % 4;
  if (!word.is_parted(mine())) {
    if (shared || !word.is_untouched(mine())) return false;
    word = word.parted_untouched(hot.flat_shadow->epoch()).used_plainly();
    if (kind == AccessKind::read && (word.init() & mask) != mask) return false;
    for (unsigned i = 0; i != 4; ++i) (main - address % 4)[i] = 0;
    __atomic_store_n(whole, word.bits(), __ATOMIC_RELAXED);
  }
  if (!word.is_used_plainly()) [[unlikely]] return false;
  if constexpr (kind == AccessKind::read) {
    auto const second = [&] { return place.extra; };
    auto const is_init = [&](FlatWord) { return (word.init() & mask) == mask; };
    return read_words<bytes, shared>(at, main, second, is_init, again);
  } else {
    if (!write_words<bytes, shared>(at, main)) return false;
    if ((~word.bytes_written() & mask) == 0) return true;
    if constexpr (shared)
      __atomic_fetch_or(whole, FlatWord(0).with_written(mask).bits(), __ATOMIC_RELAXED);
    else
      __atomic_store_n(whole, word.with_written(mask).bits(), __ATOMIC_RELAXED);
    return true;
  }
}

/// With several workers, of words that lanes only read, or (`kind`) only update: not all come in their order.
template <unsigned bytes>
bool join_alike(std::uintptr_t address, AccessKind kind, Site site) {
  constexpr int width = std::countr_zero(bytes) - 2;
  if (!hot.flat_shared || !hot.flat_table->knows(address, site, width)) return false;
  hot.flat_table->take(address);
  bool joined = true;
  for (unsigned i = 0; i != bytes / 4; ++i)
    joined = joined &&
             hot.flat_shadow->join_alike(address + 4 * i, kind, {hot.flat_lane, site}, hot.flat_table->at(site).place());
  return joined;
}

/// Of an atomic update whose result depends on the old value: such as an addition.
template <unsigned bytes, bool shared>
inline bool update_at(FlatTable::Instruction& at, std::uintptr_t address) {
  constexpr unsigned words = bytes / 4;
  std::uint64_t* const main = global_shadow::aligned_cell(address);
  FlatWord const word = load(main);
  if (!alike<words>(main, word)) return false;
  if (word.is_untouched(mine())) {
    if (word.init_of_untouched() != 15) return false;
    return replace<words, shared>(main, word, FlatWord::first_update(mine(), at.place_bits));
  }
  if (!word.is_only_updated()) return false;
  if (word.is_first(mine())) return true;
  if (!word.is_of_many()) {
    if constexpr (shared) {
      if (!join_alike<bytes>(address, AccessKind::atomic_write, at.site)) return false;
    } else {
      for (unsigned i = 0; i != words; ++i) global_shadow::aligned_extra(address)[i] = hot.flat_lane;
      replace<words, false>(main, word, word.second_lane(at.place_bits));
    }
  } else if constexpr (shared) {
    if (!comes_later<words>(global_shadow::aligned_extra(address)) &&
        !join_alike<bytes>(address, AccessKind::atomic_write, at.site))
      return false;
  }
  if (at.shared != FlatTable::shared_by_all)
    note_shared(*hot.flat_shadow, *hot.flat_table, at.site, word.lane(), hot.flat_lane);
  return true;
}

template <unsigned bytes>
inline bool update(FlatTable::Instruction& at, std::uintptr_t address) {
  return hot.flat_shared && !holds(address) ? update_at<bytes, true>(at, address) : update_at<bytes, false>(at, address);
}

template <unsigned bytes>
inline bool update_quickly(std::uintptr_t address, Site site) {
  FlatTable::Instruction& at = hot.flat_table->at(site);
  return known_at<bytes>(address, site) != nullptr && update<bytes>(at, address);
}

/// By a load by which it begins.
template <unsigned bytes>
inline bool load_for_update_quickly(std::uintptr_t address, Site site) {
  FlatTable& table = *hot.flat_table;
  FlatTable::Instruction* at = &table.updates[FlatTable::update_slot(site)];
  if (!at->covers<bytes>(address, site)) {
    if (address % bytes != 0) return false;
    at = table.aim_update(address, site, std::countr_zero(bytes) - 2);
    if (at == nullptr) return false;
    at->of_library = user_site(site) != site;
  }
  if (!update<bytes>(*at, address)) return false;
  if (at->of_library) [[unlikely]] note_users_call(site);
  if (table.at(site).site == site) at->shared |= table.at(site).shared;  // noted there
  return true;
}

}  // namespace flat
}  // namespace teamsan
