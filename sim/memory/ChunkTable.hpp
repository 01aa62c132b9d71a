// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of some stretches of device memory, and of most not: a chunk for 64 KiB of it, of zeros, found by address. It
/// comes to be when it is first asked for, by any worker, in pages of the system's that nobody fills before they are needed;
/// others find theirs meanwhile without a lock.
#pragma once

#include "../base/Arena.hpp"
#include "../base/Pages.hpp"
#include "../base/PatientMutex.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <vector>

namespace teamsan {

template <class Chunk>
class ChunkTable {
 public:
  static constexpr std::size_t chunk_bytes = std::size_t{64} << 10;  ///< of device memory

  ChunkTable() = default;
  ChunkTable(ChunkTable const&) = delete;
  ChunkTable& operator=(ChunkTable const&) = delete;
  ~ChunkTable() {
    clear();
    if (Entry* const entries = m_entries.load()) give_back_pages(entries, entries_bytes);
  }

  /// Of an address in device memory. nullptr: nobody has asked for it.
  Chunk* find(std::uintptr_t address) const {
    Entry const* const entries = m_entries.load(std::memory_order_acquire);
    return entries == nullptr ? nullptr : entries[number(address)].load(std::memory_order_acquire);
  }
  Chunk& of(std::uintptr_t address) {
    Chunk* const known = find(address);
    return known != nullptr ? *known : make(number(address));
  }
  /// Where in its chunk's stretch the address lies.
  static std::size_t offset(std::uintptr_t address) { return (address - arena::global) % chunk_bytes; }

  /// So many there are. Asked, and cleared, while no lane runs.
  std::size_t size() const { return m_made.size(); }
  void clear() {
    for (std::size_t const n : m_made) give_back_pages(m_entries.load()[n].exchange(nullptr), sizeof(Chunk));
    m_made.clear();
  }

 private:
  using Entry = std::atomic<Chunk*>;
  static constexpr std::size_t entries_bytes = arena::global_bytes / chunk_bytes * sizeof(Entry);
  static std::size_t number(std::uintptr_t address) { return (address - arena::global) / chunk_bytes; }

  template <class T>
  static T* zeros(std::size_t bytes) {
    void* const made = zero_pages(bytes);
    if (made == nullptr) throw std::bad_alloc();
    return static_cast<T*>(made);
  }
  Chunk& make(std::size_t n) {
    std::lock_guard const lock(m_mutex);
    if (m_entries.load() == nullptr) m_entries = zeros<Entry>(entries_bytes);
    Entry& entry = m_entries.load()[n];
    if (entry.load() == nullptr) {
      m_made.push_back(n);
      entry = zeros<Chunk>(sizeof(Chunk));
    }
    return *entry.load();
  }

  std::atomic<Entry*> m_entries{nullptr};  ///< of all device memory, once there is a chunk
  PatientMutex m_mutex;
  std::vector<std::size_t> m_made;
};

}  // namespace teamsan
