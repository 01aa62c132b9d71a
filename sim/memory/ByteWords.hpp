// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Words of bytes: where the bytes of a word belong to different lanes of a flat launch, as elements of one or two bytes do,
/// each byte has here what a word has in the shadow, a FlatWord and a second lane. In chunks, which come to be where that is
/// so: 12 bytes for each byte of their memory. What lies there counts while the word itself says that it is parted
/// (FlatWord.hpp); its `init` and `written` are the word's.
#pragma once

#include "ChunkTable.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace teamsan {

class ByteWords {
 public:
  /// Of a byte, and, behind it, of the others of its word.
  struct Place {
    std::uint64_t* main = nullptr;
    std::uint32_t* extra = nullptr;
  };
  /// Of nothing: there are none near it yet.
  Place find(std::uintptr_t address) const {
    Chunk* const chunk = m_chunks.find(address);
    return chunk == nullptr ? Place{} : place(*chunk, address);
  }
  Place of(std::uintptr_t address) { return place(m_chunks.of(address), address); }
  /// While no lane runs: a launch that had very many leaves none to the next one.
  void renew() {
    constexpr std::size_t most_kept = 64;
    if (m_chunks.size() > most_kept) m_chunks.clear();
  }

 private:
  struct Chunk;
  using Chunks = ChunkTable<Chunk>;
  struct alignas(64) Chunk {
    std::array<std::uint64_t, Chunks::chunk_bytes> main;
    std::array<std::uint32_t, Chunks::chunk_bytes> extra;
  };
  static Place place(Chunk& chunk, std::uintptr_t address) {
    std::size_t const at = Chunks::offset(address);
    return {chunk.main.data() + at, chunk.extra.data() + at};
  }

  Chunks m_chunks;
};

}  // namespace teamsan
