// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of a launch, numbered for the global shadow, which has no room for their addresses.
#pragma once

#include "../base/PatientMutex.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace teamsan {
struct LaneTable;
}

namespace teamsan::detect {

/// 0 stands for "unknown" once numbers have run out. Any worker may ask.
class SiteTable {
 public:
  std::uint32_t id(std::uint32_t pc);
  /// Of a word whose bytes are different instructions': those by byte, 0 where there is none. They are one number.
  using Bytes = std::array<std::uint32_t, 4>;
  std::uint32_t id(Bytes const& pcs);
  /// Of several, the first one.
  std::uintptr_t pc(std::uint32_t id) const;
  std::uintptr_t pc(std::uint32_t id, unsigned byte) const;
  /// Of a launch of which one worker alone runs teams just now.
  std::vector<std::uint32_t> const& pcs() const { return m_pcs; }
  std::uint32_t count() const { return m_count.load(std::memory_order_relaxed); }
  /// Numbers have run out.
  bool full() const { return m_full; }

 private:
  friend struct teamsan::LaneTable;
  std::uintptr_t pc_of(std::uint32_t id) const;
  mutable PatientMutex m_mutex;
  std::unordered_map<std::uint32_t, std::uint32_t> m_ids;
  std::vector<std::uint32_t> m_pcs{0};
  std::map<Bytes, std::uint32_t> m_ids_of_bytes;
  std::unordered_map<std::uint32_t, Bytes> m_bytes;
  std::atomic<std::uint32_t> m_count{0};
  std::atomic<bool> m_full{false};
};

/// Its numbers as one thread remembers them.
class KnownSites {
 public:
  explicit KnownSites(SiteTable& table) : m_table(table) {}
  std::uint32_t id(std::uint32_t pc) {
    Recent& recent = m_recent[(pc ^ pc >> 8) & 255];
    if (recent.pc != pc) recent = {pc, m_table.id(pc)};
    return recent.id;
  }
  std::uint32_t id(SiteTable::Bytes const& pcs) { return m_table.id(pcs); }

 private:
  struct Recent {
    std::uint32_t pc = 0, id = 0;
  };
  SiteTable& m_table;
  Recent m_recent[256];
};

}  // namespace teamsan::detect
