// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamAtomics.hpp"

#include "TeamOrder.hpp"

#include <algorithm>

namespace teamsan::detect {

void TeamAtomics::add(Site site) {
  m_last = site;
  std::size_t const used = m_used.load(std::memory_order_relaxed);
  auto const end = m_sites.begin() + std::min(used, most);
  if (std::find(m_sites.begin(), end, site) != end) return;
  if (used < most) m_sites[used].store(site, std::memory_order_relaxed);
  if (used <= most) m_used.store(used + 1, std::memory_order_release);
}

bool TeamAtomics::give_values_back() const {
  std::size_t const used = m_used.load(std::memory_order_acquire);
  return used > most || std::any_of(m_sites.begin(), m_sites.begin() + used, [](auto const& site) {
           return gives_value_back(site.load(std::memory_order_relaxed));
         });
}

}  // namespace teamsan::detect
