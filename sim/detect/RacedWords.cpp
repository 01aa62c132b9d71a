// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RacedWords.hpp"

#include <algorithm>
#include <utility>

namespace teamsan::detect {

void RacedWords::Word::add(AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick) {
  auto const is_of_kind = [&](FlatShadow::Late const& a) { return a.kind == kind; };
  if (std::ranges::any_of(accesses, [&](FlatShadow::Late const& a) { return is_of_kind(a) && a.mark.lane == mark.lane; }))
    return;
  accesses.push_back({mark, static_cast<std::uint16_t>(tick), kind, 15});
  if (std::ranges::count_if(accesses, is_of_kind) <= 2) return;
  auto last = accesses.end();
  for (auto a = accesses.begin(); a != accesses.end(); ++a)
    if (is_of_kind(*a) && (last == accesses.end() || a->mark.lane > last->mark.lane)) last = a;
  accesses.erase(last);
}

RacedWords::Word* RacedWords::at(std::uintptr_t address) {
  if (Word* const known = find(address); known != nullptr || m_words.size() >= m_most) return known;
  return &m_words[address];
}

RacedWords::Word* RacedWords::find(std::uintptr_t address) {
  auto const found = m_words.find(address);
  return found == m_words.end() ? nullptr : &found->second;
}

void RacedWords::append(RacedWords&& team) {
  for (auto& [address, word] : team.m_words)
    if (find(address) == nullptr && m_words.size() < m_most) m_words.emplace(address, std::move(word));
  team.clear();
}

}  // namespace teamsan::detect
