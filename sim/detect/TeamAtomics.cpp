// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamAtomics.hpp"

#include "TeamOrder.hpp"
#include "../places/Modules.hpp"

#include <algorithm>

namespace teamsan::detect {

void TeamAtomics::add(std::uint32_t pc) {
  m_last = pc;
  std::size_t const used = m_used.load(std::memory_order_relaxed);
  auto const end = m_pcs.begin() + std::min(used, most);
  if (std::find(m_pcs.begin(), end, pc) != end) return;
  if (used < most) m_pcs[used].store(pc, std::memory_order_relaxed);
  if (used <= most) m_used.store(used + 1, std::memory_order_release);
}

bool TeamAtomics::give_values_back() const {
  std::size_t const used = m_used.load(std::memory_order_acquire);
  return used > most || std::any_of(m_pcs.begin(), m_pcs.begin() + used, [](auto const& pc) {
           return gives_value_back(full_pc(pc.load(std::memory_order_relaxed)));
         });
}

}  // namespace teamsan::detect
