// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SiteTable.hpp"

#include "../memory/GlobalShadow.hpp"
#include "../places/Modules.hpp"

#include <algorithm>

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

std::uint32_t SiteTable::id(Bytes const& pcs) {
  std::lock_guard const lock(m_mutex);
  auto const [found, fresh] = m_ids_of_bytes.try_emplace(pcs, static_cast<std::uint32_t>(m_pcs.size()));
  if (!fresh) return found->second;
  if (m_pcs.size() > global_shadow::max_site) {
    m_full = true;
    return found->second = 0;
  }
  m_pcs.push_back(*std::ranges::find_if(pcs, [](std::uint32_t pc) { return pc != 0; }));
  m_count.store(static_cast<std::uint32_t>(m_pcs.size()), std::memory_order_relaxed);
  m_bytes.emplace(found->second, pcs);
  return found->second;
}

std::uintptr_t SiteTable::pc(std::uint32_t id, unsigned byte) const {
  std::lock_guard const lock(m_mutex);
  auto const several = m_bytes.find(id);
  return several == m_bytes.end() || several->second[byte] == 0 ? pc_of(id) : full_pc(several->second[byte]);
}

std::uintptr_t SiteTable::pc(std::uint32_t id) const {
  std::lock_guard const lock(m_mutex);
  return pc_of(id);
}

std::uintptr_t SiteTable::pc_of(std::uint32_t id) const { return id < m_pcs.size() ? full_pc(m_pcs[id]) : 0; }

}  // namespace teamsan::detect
