// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostObjects.hpp"

#include <utility>
#include <vector>

namespace teamsan {

void HostObjects::made(std::uintptr_t object, std::uintptr_t table) {
  std::lock_guard const lock(m_mutex);
  m_tables[object] = table;
  m_number = m_tables.size();
}

void HostObjects::copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (!any()) return;
  std::lock_guard const lock(m_mutex);
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> const there(m_tables.lower_bound(from),
                                                                     m_tables.lower_bound(from + bytes));
  m_tables.erase(m_tables.lower_bound(to), m_tables.lower_bound(to + bytes));
  for (auto const& [object, table] : there) m_tables[object - from + to] = table;
  m_number = m_tables.size();
}

void HostObjects::forget(std::uintptr_t begin, std::size_t bytes) {
  if (!any()) return;
  std::lock_guard const lock(m_mutex);
  auto const first = m_tables.lower_bound(begin);
  m_tables.erase(first, bytes > ~begin ? m_tables.end() : m_tables.lower_bound(begin + bytes));
  m_number = m_tables.size();
}

bool HostObjects::has(std::uintptr_t object) const {
  if (!any()) return false;
  std::lock_guard const lock(m_mutex);
  auto const found = m_tables.find(object);
  return found != m_tables.end() && *reinterpret_cast<std::uintptr_t const*>(object) == found->second;
}

HostObjects& host_objects() {
  static HostObjects& all = *new HostObjects;  // the program's destructors may launch
  return all;
}

}  // namespace teamsan
