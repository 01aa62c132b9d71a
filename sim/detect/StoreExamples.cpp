// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StoreExamples.hpp"

#include <algorithm>
#include <iterator>

namespace teamsan::detect {

std::uint32_t StoreExamples::entry_of(Key const& key) {
  auto const [found, fresh] = m_index.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
  if (fresh) m_keys.push_back({key, 1, 0, {}});
  return found->second;
}

void StoreExamples::merge(StoreExamples&& team) {
  std::vector<Example> all;
  for (OfKey& of : team.m_keys) {
    bool const known = m_index.contains(of.key);
    OfKey& here = m_keys[entry_of(of.key)];
    here.teams = known ? here.teams + of.teams : of.teams;
    here.apart += of.apart;
    std::move(of.examples.begin(), of.examples.end(), std::back_inserter(all));
  }
  std::ranges::sort(all, {}, &Example::number);
  for (Example& e : all) add(e.store, [&] { return std::move(e.finding); });
}

void StoreExamples::clear() {
  m_keys.clear();
  m_index.clear();
  m_next = 0;
}

}  // namespace teamsan::detect
