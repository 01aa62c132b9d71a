// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of a launch, numbered for the global shadow, which has no room for their addresses.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace teamsan {
struct LaneTable;
}

namespace teamsan::detect {

/// 0 stands for "unknown" once numbers have run out.
class SiteTable {
 public:
  std::uint32_t id(std::uint32_t pc);
  std::uintptr_t pc(std::uint32_t id) const;
  std::vector<std::uint32_t> const& pcs() const { return m_pcs; }
  /// Numbers have run out.
  bool full() const { return m_full; }

 private:
  friend struct teamsan::LaneTable;
  struct Recent {
    std::uint32_t pc = 0, id = 0;
  };
  Recent m_recent[256];
  std::unordered_map<std::uint32_t, std::uint32_t> m_ids;
  std::vector<std::uint32_t> m_pcs{0};
  bool m_full = false;
};

}  // namespace teamsan::detect
