// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ByteWords.hpp"

#include <cstdlib>
#include <mutex>
#include <new>

namespace teamsan {

ByteWords::~ByteWords() {
  for (std::size_t const chunk : m_made) std::free(m_chunks.load()[chunk].load());
  std::free(m_chunks.load());
}

ByteWords::Place ByteWords::of(std::uintptr_t address) {
  if (Place const known = find(address); known.main != nullptr) return known;
  std::lock_guard const lock(m_mutex);
  std::size_t const at = address - arena::global;
  if (m_chunks.load() == nullptr) {  // zeros; pages of it that nobody needs are never there
    void* const all = std::calloc(arena::global_bytes / chunk_bytes, sizeof(Entry));
    if (all == nullptr) throw std::bad_alloc();
    m_chunks = static_cast<Entry*>(all);
  }
  Entry& entry = m_chunks.load()[at / chunk_bytes];
  if (entry.load() == nullptr) {
    void* const chunk = std::aligned_alloc(alignof(Chunk), sizeof(Chunk));
    if (chunk == nullptr) throw std::bad_alloc();
    m_made.push_back(at / chunk_bytes);
    entry = static_cast<Chunk*>(chunk);
  }
  return place(*entry.load(), at % chunk_bytes);
}

void ByteWords::renew() {
  if (m_made.size() <= most_kept) return;
  for (std::size_t const chunk : m_made) std::free(m_chunks.load()[chunk].exchange(nullptr));
  m_made.clear();
}

}  // namespace teamsan
