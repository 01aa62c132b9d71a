// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WordSites.hpp"

#include "../base/Arena.hpp"

#include <cstdlib>
#include <mutex>
#include <new>

namespace teamsan {

namespace {

/// Zeros; pages of it that nobody needs are never there.
template <class T>
T* zeros(std::size_t count) {
  void* const p = std::calloc(count, sizeof(T));
  if (p == nullptr) throw std::bad_alloc();
  return static_cast<T*>(p);
}

}  // namespace

WordSites::~WordSites() {
  clear();
  std::free(m_chunks.load());
}

WordSites::Both& WordSites::of(std::uintptr_t address) {
  std::size_t const at = address - arena::global, chunk = at / chunk_bytes;
  Entry const* const chunks = m_chunks.load(std::memory_order_acquire);
  Chunk* const known = chunks != nullptr ? chunks[chunk].load(std::memory_order_acquire) : nullptr;
  return (known != nullptr ? *known : make(chunk))[at % chunk_bytes / 4];
}

WordSites::Chunk& WordSites::make(std::size_t chunk) {
  std::lock_guard const lock(m_mutex);
  if (m_chunks.load() == nullptr) m_chunks = zeros<Entry>(arena::global_bytes / chunk_bytes);
  Entry& entry = m_chunks.load()[chunk];
  if (entry.load() == nullptr) {
    m_made.push_back(chunk);
    entry = zeros<Chunk>(1);
  }
  return *entry.load();
}

Site WordSites::find(std::uintptr_t address, unsigned which) const {
  std::size_t const at = address - arena::global;
  Entry const* const chunks = m_chunks.load(std::memory_order_acquire);
  if (chunks == nullptr) return Site{};
  Chunk const* const chunk = chunks[at / chunk_bytes].load(std::memory_order_acquire);
  return chunk != nullptr ? (*chunk)[at % chunk_bytes / 4][which].load(std::memory_order_relaxed) : Site{};
}

void WordSites::clear() {
  for (std::size_t const chunk : m_made) std::free(m_chunks.load()[chunk].exchange(nullptr));
  m_made.clear();
}

}  // namespace teamsan
