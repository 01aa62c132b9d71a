// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Holders.hpp"

#include "../base/Arena.hpp"
#include "../places/Modules.hpp"
#include "../places/StaticData.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <unordered_set>

namespace teamsan {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;  ///< that are looked through: a second's work

std::uintptr_t word_at(std::uintptr_t address) {
  std::uintptr_t word = 0;
  std::memcpy(&word, reinterpret_cast<void const*>(address), sizeof word);
  return word;
}

/// Where malloc's blocks may lie: what the process may read and write, and no file's.
std::vector<HeldRange> anonymous_memory() {
  std::vector<HeldRange> ranges;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    HeldRange range;
    char dash = 0;
    std::string rights, offset, device, name;
    std::uint64_t inode = 0;
    if (!(words >> std::hex >> range.begin >> dash >> range.end >> rights >> offset >> device >> std::dec >> inode)) continue;
    words >> name;
    bool const of_malloc = rights.starts_with("rw") && inode == 0 && (name.empty() || name == "[heap]");
    if (of_malloc && !arena::contains(arena::front, arena::end - arena::front, range.begin)) ranges.push_back(range);
  }
  return ranges;
}

/// glibc's: the size of a block stands in front of it, with three flags.
struct Blocks {
  std::vector<HeldRange> memory = anonymous_memory();

  /// Of the block that begins there; 0: none does.
  std::size_t bytes_of(std::uintptr_t block) const {
    if (block % 16 != 0) return 0;
    auto const after = std::ranges::upper_bound(memory, block, {}, &HeldRange::begin);
    if (after == memory.begin()) return 0;
    HeldRange const& in = *std::prev(after);
    if (block >= in.end || block < in.begin + 16) return 0;
    constexpr std::uintptr_t flags = 7, own_mapping = 2;
    std::uintptr_t const head = word_at(block - 8), size = head & ~flags;
    if (size < 32 || size % 16 != 0 || size > in.end - (block - 16)) return 0;
    if ((head & own_mapping) != 0) return size - 16;
    return size - 8;  // the next block's first word is this one's while it is in use
  }
};

bool is_nobodys(std::string_view variable) {
  for (std::string_view const part : {"teamsan::", "__teamsan_", "teamsan_abi_", "Kokkos::", "desul::", "tbb::"})
    if (variable.starts_with(part) || variable.find(" " + std::string(part)) != variable.npos) return true;
  return variable.empty();
}

class Search {
 public:
  explicit Search(std::span<HeldRange const> ranges) : m_ranges(ranges), m_holders(ranges.size()), m_left(ranges.size()) {}

  std::vector<Holder> run() {
    for (Segment const& segment : loaded_segments())
      if (segment.writable && !segment.code) look_at_variables(segment);
    // What stands in a variable itself is told first; then blocks, in the order in which they were come to.
    for (std::size_t next = 0; next != m_blocks.size() && m_left != 0; ++next) {
      auto const [block, variable] = m_blocks[next];
      look_through(block, m_heap.bytes_of(block), variable, false);
    }
    return std::move(m_holders);
  }

 private:
  struct Root {
    std::uintptr_t block, variable;
  };

  void look_at_variables(Segment const& segment) {
    for (std::uintptr_t at = (segment.begin + 7) / 8 * 8; at + 8 <= segment.end && m_looked < most_bytes; at += 8) {
      take(word_at(at), at, true);
      m_looked += 8;
    }
  }

  void look_through(std::uintptr_t begin, std::size_t bytes, std::uintptr_t variable, bool directly) {
    if (m_looked > most_bytes) return;
    m_looked += bytes;
    std::size_t const before = m_blocks.size();
    bool record = false;
    for (std::uintptr_t at = begin; at + 8 <= begin + bytes; at += 8) record |= take(word_at(at), variable, directly);
    // Kokkos' record of an allocation may be chained to those of all others.
    if (record) forget_since(before);
  }

  /// True: the word is where an allocation with a header begins, which its record alone knows.
  bool take(std::uintptr_t word, std::uintptr_t variable, bool directly) {
    if (arena::contains(arena::global, arena::global_bytes, word)) {
      auto const after = std::ranges::upper_bound(m_ranges, word, {}, &HeldRange::begin);
      if (after == m_ranges.begin() || word >= std::prev(after)->end) return false;
      auto const i = static_cast<std::size_t>(std::prev(after) - m_ranges.begin());
      bool const in_record = m_ranges[i].headed && word == m_ranges[i].begin;
      if (!m_holders[i].variable.empty()) return in_record;
      std::string name = static_variable(variable);
      if (is_nobodys(name)) return false;
      m_holders[i] = {std::move(name), directly};
      --m_left;
      return in_record;
    }
    if (m_heap.bytes_of(word) == 0 || !m_known.insert(word).second) return false;
    if (directly && is_nobodys(static_variable(variable))) {
      m_known.erase(word);  // somebody else's variable may lead there too
      return false;
    }
    m_blocks.push_back({word, variable});
    return false;
  }

  void forget_since(std::size_t before) {
    for (std::size_t i = before; i != m_blocks.size(); ++i) m_known.erase(m_blocks[i].block);
    m_blocks.resize(before);
  }

  std::span<HeldRange const> m_ranges;
  std::vector<Holder> m_holders;
  std::size_t m_left;
  Blocks m_heap;
  std::vector<Root> m_blocks;
  std::unordered_set<std::uintptr_t> m_known;
  std::size_t m_looked = 0;
};

}  // namespace

std::vector<Holder> find_holders(std::span<HeldRange const> ranges) {
  if (ranges.empty()) return {};
  return Search(ranges).run();
}

}  // namespace teamsan
