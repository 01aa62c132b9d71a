// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SiteTable.hpp"

#include "../memory/GlobalShadow.hpp"
#include "../places/Modules.hpp"

namespace teamsan::detect {

std::uint32_t SiteTable::id(std::uint32_t pc) {
  std::lock_guard const lock(m_mutex);
  auto const [found, fresh] = m_ids.try_emplace(pc, static_cast<std::uint32_t>(m_pcs.size()));
  if (fresh) {
    if (m_pcs.size() > global_shadow::max_site) {
      found->second = 0;
      m_full = true;
    } else {
      m_pcs.push_back(pc);
      m_count.store(static_cast<std::uint32_t>(m_pcs.size()), std::memory_order_relaxed);
    }
  }
  return found->second;
}

std::uintptr_t SiteTable::pc(std::uint32_t id) const {
  std::lock_guard const lock(m_mutex);
  return id < m_pcs.size() ? full_pc(m_pcs[id]) : 0;
}

}  // namespace teamsan::detect
