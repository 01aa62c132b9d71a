// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AtomicAddresses.hpp"

#include <algorithm>
#include <tuple>

namespace teamsan::detect {

namespace {

std::uint64_t hash_of(std::int64_t offset) {
  std::uint64_t h = static_cast<std::uint64_t>(offset) * 0x9e3779b97f4a7c15u;
  return (h ^ h >> 32) * 0xc2b2ae3d27d4eb4fu;
}

}  // namespace

bool AtomicAddresses::looks_at(std::int64_t offset) const { return m_shift == 0 || hash_of(offset) >> (64 - m_shift) == 0; }

AtomicAddresses::Word& AtomicAddresses::word(std::int64_t offset) {
  for (std::size_t i = hash_of(offset) & 0xffffffff;; ++i) {
    Word& w = m_words[i & (m_words.size() - 1)];
    if (w.updates == 0 || w.offset == offset) return w;
  }
}

void AtomicAddresses::rebuild(std::size_t size) {
  std::vector<Word> old(size);
  old.swap(m_words);
  m_used = 0;
  for (Word const& w : old)
    if (w.updates != 0 && looks_at(w.offset)) word(w.offset) = w, ++m_used;
}

AtomicAddresses::Word* AtomicAddresses::kept_word(std::int64_t offset) {
  if (!looks_at(offset)) return nullptr;
  if (m_words.empty()) m_words.resize(64);
  if (Word& known = word(offset); known.updates != 0) return &known;
  while (m_used == most) ++m_shift, rebuild(m_words.size());
  if ((m_used + 1) * 2 > m_words.size()) rebuild(m_words.size() * 2);
  if (!looks_at(offset)) return nullptr;
  ++m_used;
  Word& fresh = word(offset);
  fresh.offset = offset;
  return &fresh;
}

void AtomicAddresses::add(std::span<std::int64_t const> offsets, std::uint64_t league_rank) {
  std::uint32_t wanted = 0;
  for (std::size_t i = 0, next = 0; i != offsets.size(); i = next) {
    next = i + 1;
    while (next != offsets.size() && offsets[next] == offsets[i]) ++next;
    auto const lanes = static_cast<std::uint32_t>(next - i);
    wanted = std::max(wanted, lanes);
    Word* const w = kept_word(offsets[i]);
    if (w == nullptr) continue;
    w->updates += lanes;
    w->teams += w->last_team != league_rank;
    w->last_team = league_rank;
  }
  m_wanted += wanted;
  m_worst = std::max(m_worst, wanted);
}

void AtomicAddresses::add(AtomicAddresses const& other) {
  m_wanted += other.m_wanted;
  m_worst = std::max(m_worst, other.m_worst);
  if (m_shift < other.m_shift) {
    m_shift = other.m_shift;
    rebuild(m_words.size());
  }
  for (Word const& theirs : other.m_words) {
    if (theirs.updates == 0) continue;
    Word* const w = kept_word(theirs.offset);
    if (w == nullptr) continue;
    w->updates += theirs.updates;
    w->teams += theirs.teams;
  }
}

Contention AtomicAddresses::sum() const {
  Contention c;
  c.wanted = m_wanted;
  c.worst = m_worst;
  c.addresses = m_used;
  c.one_in = std::uint64_t{1} << m_shift;
  for (Word const& w : m_words)
    if (w.updates != 0) c.hottest.push_back({static_cast<std::uint64_t>(w.offset), w.updates, w.teams, {}});
  auto const hotter = [](HotAddress const& a, HotAddress const& b) {
    return std::tie(b.updates, a.offset) < std::tie(a.updates, b.offset);
  };
  std::size_t const kept = std::min(told, c.hottest.size());
  std::partial_sort(c.hottest.begin(), c.hottest.begin() + static_cast<std::ptrdiff_t>(kept), c.hottest.end(), hotter);
  c.hottest.resize(kept);
  return c;
}

}  // namespace teamsan::detect
