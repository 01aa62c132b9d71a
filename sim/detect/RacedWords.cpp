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

void RacedWords::Word::add_one_of(std::uint32_t team_size, AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick) {
  auto const is_known = [&](FlatShadow::Late const& a) {
    return a.kind == kind && a.mark.site == mark.site && a.mark.lane / team_size == mark.lane / team_size;
  };
  if (std::ranges::any_of(accesses, is_known)) return;
  add(kind, mark, tick);
  for (FlatShadow::Late& a : accesses)
    if (is_known(a)) a.bytes = 0;
}

bool RacedWords::Word::is_one_of(JoinedAccess const& access) const {
  return std::ranges::any_of(accesses, [&](FlatShadow::Late const& a) {
    return a.bytes == 0 && a.kind == access.kind && a.mark.lane == access.mark.lane && a.mark.site == access.mark.site;
  });
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
