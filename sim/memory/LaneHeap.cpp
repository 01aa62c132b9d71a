// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneHeap.hpp"

#include "../base/Pages.hpp"
#include "Hot.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace teamsan::lane_heap {

namespace {

constexpr unsigned address_bits = 48, region_bits = 30;
constexpr std::size_t granule = 8;                ///< no allocator hands out less
constexpr std::size_t word_bytes = granule * 64;  ///< of memory, for a word of bits
using Word = std::atomic<std::uint64_t>;
constexpr std::size_t words_of_region = (std::size_t{1} << region_bits) / word_bytes;

constinit std::atomic<Word*> regions[std::size_t{1} << (address_bits - region_bits)];
constinit std::atomic<bool> no_room{false};  ///< something could not be noted: nobody is accused any more

bool is_known(std::uintptr_t address) { return address >> address_bits == 0; }

Word* region_at(std::uintptr_t address) { return regions[address >> region_bits].load(std::memory_order_acquire); }

Word* make_region_at(std::uintptr_t address) {
  constexpr std::size_t bytes = words_of_region * sizeof(Word);
  void* const made = zero_pages(bytes);
  if (made == nullptr) return nullptr;
  Word* there = nullptr;
  if (regions[address >> region_bits].compare_exchange_strong(there, static_cast<Word*>(made), std::memory_order_acq_rel))
    return static_cast<Word*>(made);
  give_back_pages(made, bytes);
  return there;
}

/// Word by word: f(word, bits of it) for the granules of [begin, end); `region` says where the words of an address lie.
template <class Region, class F>
void for_words(std::uintptr_t begin, std::uintptr_t end, Region region, F f) {
  while (begin < end) {
    std::uintptr_t const next = std::min(end, (begin / word_bytes + 1) * word_bytes);
    std::uint64_t const first = begin / granule % 64, last = (next - 1) / granule % 64;
    if (Word* const words = region(begin))
      f(words[begin / word_bytes % words_of_region], ~std::uint64_t{0} << first & ~std::uint64_t{0} >> (63 - last));
    begin = next;
  }
}

/// Before it is given back: whoever has it next may be the host.
void forget(void* block) noexcept {
  auto const begin = reinterpret_cast<std::uintptr_t>(block);
  if (!holds(begin)) return;
  for_words(begin, begin + size_of_block(block), region_at,
            [](Word& word, std::uint64_t bits) { word.fetch_and(~bits, std::memory_order_relaxed); });
}

void note(void* block, std::size_t bytes) noexcept {
  if (hot.lane == nullptr || hot.in_runtime != 0) return;
  auto const begin = reinterpret_cast<std::uintptr_t>(block);
  watch_lanes_frees(forget);
  auto const made = [](std::uintptr_t address) {
    Word* const there = is_known(address) ? region_at(address) : nullptr;
    Word* const words = there != nullptr || !is_known(address) ? there : make_region_at(address);
    if (words == nullptr) no_room.store(true, std::memory_order_relaxed);
    return words;
  };
  for_words(begin, begin + bytes, made, [](Word& word, std::uint64_t bits) { word.fetch_or(bits, std::memory_order_relaxed); });
}

}  // namespace

Watch::Watch() noexcept : m_before(watch_takes(note)) {}
Watch::~Watch() { watch_takes(m_before); }

bool holds(std::uintptr_t address) noexcept {
  if (no_room.load(std::memory_order_relaxed)) return true;
  Word const* const words = is_known(address) ? region_at(address) : nullptr;
  return words != nullptr &&
         (words[address / word_bytes % words_of_region].load(std::memory_order_relaxed) >> address / granule % 64 & 1) != 0;
}

}  // namespace teamsan::lane_heap
