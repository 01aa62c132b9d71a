// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckBudget.hpp"

namespace teamsan {

bool CostBudget::allows(Cost& account, std::uint64_t plain, std::uint64_t checking, LaunchSequence::Turn const& turn) {
  Cost const brought = static_cast<Cost>(plain) * m_hundredths / 100, taken = static_cast<Cost>(checking);
  account += brought;
  m_all += brought;
  bool const paid = m_all >= taken && (account >= taken || turn.new_shape);
  if (!paid && !turn.is_first) return false;
  account -= taken;
  m_all -= taken;
  return true;
}

void CostBudget::correct(Cost& account, std::uint64_t thought, std::uint64_t took) {
  Cost const more = static_cast<Cost>(took) - static_cast<Cost>(thought);
  account -= more;
  m_all -= more;
}

bool TimeBudget::allows(Account& account, LaunchSequence::Turn const& turn) {
  m_kernels += turn.is_first;
  if (turn.is_first) return true;
  if (account.latest > m_left) return false;
  return turn.due || account.spent + account.latest <= m_left / (2 * m_kernels);
}

void TimeBudget::spend(Account& account, Time time) {
  account.spent += time;
  account.latest = time;
  m_left -= time;
}

}  // namespace teamsan
