// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of a launch, numbered for the global shadow, which has no room for their addresses.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
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
  std::uintptr_t pc(std::uint32_t id) const;
  /// Of a launch of which one worker alone runs teams just now.
  std::vector<std::uint32_t> const& pcs() const { return m_pcs; }
  std::uint32_t count() const { return m_count.load(std::memory_order_relaxed); }
  /// Numbers have run out.
  bool full() const { return m_full; }

 private:
  friend struct teamsan::LaneTable;
  mutable std::mutex m_mutex;
  std::unordered_map<std::uint32_t, std::uint32_t> m_ids;
  std::vector<std::uint32_t> m_pcs{0};
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

 private:
  struct Recent {
    std::uint32_t pc = 0, id = 0;
  };
  SiteTable& m_table;
  Recent m_recent[256];
};

}  // namespace teamsan::detect
