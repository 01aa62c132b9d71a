// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SiteTable.hpp"

#include "../memory/GlobalShadow.hpp"

#include <algorithm>

namespace teamsan::detect {

std::uint32_t SiteTable::id(Site site) {
  std::lock_guard const lock(m_mutex);
  auto const [found, fresh] = m_ids.try_emplace(site, static_cast<std::uint32_t>(m_sites.size()));
  if (fresh) {
    if (m_sites.size() > global_shadow::max_site) {
      found->second = 0;
      m_full = true;
    } else {
      m_sites.push_back(site);
      m_count.store(static_cast<std::uint32_t>(m_sites.size()), std::memory_order_relaxed);
    }
  }
  return found->second;
}

std::uint32_t SiteTable::id(Bytes const& sites) {
  std::lock_guard const lock(m_mutex);
  auto const [found, fresh] = m_ids_of_bytes.try_emplace(sites, static_cast<std::uint32_t>(m_sites.size()));
  if (!fresh) return found->second;
  if (m_sites.size() > global_shadow::max_site) {
    m_full = true;
    return found->second = 0;
  }
  m_sites.push_back(*std::ranges::find_if(sites, [](Site site) { return site != Site{}; }));
  m_count.store(static_cast<std::uint32_t>(m_sites.size()), std::memory_order_relaxed);
  m_bytes.emplace(found->second, sites);
  return found->second;
}

Site SiteTable::site(std::uint32_t id, unsigned byte) const {
  std::lock_guard const lock(m_mutex);
  auto const several = m_bytes.find(id);
  return several == m_bytes.end() || several->second[byte] == Site{} ? site_of(id) : several->second[byte];
}

Site SiteTable::site(std::uint32_t id) const {
  std::lock_guard const lock(m_mutex);
  return site_of(id);
}

Site SiteTable::site_of(std::uint32_t id) const { return id < m_sites.size() ? m_sites[id] : Site{}; }

}  // namespace teamsan::detect
