// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of flat words (FlatWord.hpp), of those that have no number in a byte. Each word has room for two, in chunks
/// that come to be where such an instruction touches memory first: 2 bytes for each byte of these, until the next flat launch.
#pragma once

#include "../../traces/Site.hpp"
#include "ChunkTable.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace teamsan {

class WordSites {
 public:
  /// Of the word at this address. Whoever changes one has made the word busy.
  using Both = std::array<std::atomic<Site>, 2>;
  Both& of(std::uintptr_t address) { return m_chunks.of(address)[word(address)]; }
  /// The same; none: nobody has changed any near it.
  Site find(std::uintptr_t address, unsigned which) const {
    Chunk const* const chunk = m_chunks.find(address);
    return chunk != nullptr ? (*chunk)[word(address)][which].load(std::memory_order_relaxed) : Site{};
  }
  /// Forgets all, while no lane runs.
  void clear() { m_chunks.clear(); }

 private:
  struct Chunk;
  using Chunks = ChunkTable<Chunk>;
  struct Chunk : std::array<Both, Chunks::chunk_bytes / 4> {};
  static std::size_t word(std::uintptr_t address) { return Chunks::offset(address) / 4; }

  Chunks m_chunks;
};

}  // namespace teamsan
