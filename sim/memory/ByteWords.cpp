// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ByteWords.hpp"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace teamsan {

namespace {

/// Zeros; pages of it that nobody needs are never there.
void* map(std::size_t bytes) {
  void* const made = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) throw std::bad_alloc();
  return made;
}

}  // namespace

ByteWords::~ByteWords() {
  for (std::size_t const chunk : m_made) ::munmap(m_chunks.load()[chunk].load(), sizeof(Chunk));
  if (m_chunks.load() != nullptr) ::munmap(m_chunks.load(), entries_bytes);
}

ByteWords::Place ByteWords::of(std::uintptr_t address) {
  if (Place const known = find(address); known.main != nullptr) return known;
  std::lock_guard const lock(m_mutex);
  std::size_t const at = address - arena::global;
  if (m_chunks.load() == nullptr) m_chunks = static_cast<Entry*>(map(entries_bytes));
  Entry& entry = m_chunks.load()[at / chunk_bytes];
  if (entry.load() == nullptr) {
    void* const chunk = map(sizeof(Chunk));
    m_made.push_back(at / chunk_bytes);
    entry = static_cast<Chunk*>(chunk);
  }
  return place(*entry.load(), at % chunk_bytes);
}

void ByteWords::renew() {
  if (m_made.size() <= most_kept) return;
  for (std::size_t const chunk : m_made) ::munmap(m_chunks.load()[chunk].exchange(nullptr), sizeof(Chunk));
  m_made.clear();
}

}  // namespace teamsan
