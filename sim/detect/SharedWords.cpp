// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedWords.hpp"

namespace teamsan::detect {

namespace {
constexpr std::size_t most_of_word = 64;
constexpr std::size_t most_words = std::size_t{1} << 18;
constexpr std::size_t most = std::size_t{1} << 20;
}  // namespace

std::vector<PastAccess> const* SharedWords::of(std::uintptr_t word_address) const {
  auto const found = m_words.find(word_address);
  return found == m_words.end() ? nullptr : &found->second.accesses;
}

void SharedWords::add(std::uintptr_t word_address, PastAccess const& access) {
  auto found = m_words.find(word_address);
  if (found == m_words.end()) {
    if (m_words.size() == most_words) {
      m_full = true;
      return;
    }
    found = m_words.try_emplace(word_address).first;
  }
  Word& word = found->second;
  for (PastAccess& past : word.accesses) {
    // The same order with all others: one is enough.
    if (past.team != access.team || past.lane != access.lane || past.tick != access.tick || past.writes != access.writes ||
        past.atomic != access.atomic || past.alike != access.alike)
      continue;
    past.bytes |= access.bytes;
    return;
  }
  if (word.accesses.size() < most_of_word && m_count < most) {
    word.accesses.push_back(access);
    ++m_count;
    return;
  }
  if (word.accesses.size() != most_of_word) m_full = true;
  if (word.accesses.empty()) return;
  PastAccess& oldest = word.accesses[word.next];
  word.given_up |= static_cast<std::uint8_t>(1u << kind(oldest.writes, oldest.atomic));
  oldest = access;
  word.next = (word.next + 1) % word.accesses.size();
}

bool SharedWords::lacks_some_for(std::uintptr_t word_address, PastAccess const& access) const {
  auto const found = m_words.find(word_address);
  if (found == m_words.end() || found->second.given_up == 0) return false;
  for (bool const writes : {false, true})
    for (bool const atomic : {false, true})
      if ((found->second.given_up >> kind(writes, atomic) & 1) && (writes || access.writes) && !(atomic && access.atomic))
        return true;
  return false;
}

void SharedWords::note_blind_write(std::uintptr_t word_address) {
  if (auto const found = m_words.find(word_address); found != m_words.end()) found->second.blind_write = true;
}

bool SharedWords::was_always_read_first(std::uintptr_t word_address) const {
  auto const found = m_words.find(word_address);
  return found != m_words.end() && !found->second.blind_write;
}

}  // namespace teamsan::detect
