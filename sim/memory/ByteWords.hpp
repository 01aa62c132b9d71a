// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Words of bytes: where the bytes of a word belong to different lanes of a flat launch, as elements of one or two bytes do,
/// each byte has here what a word has in the shadow, a FlatWord and a second lane. In chunks, which come to be where that is
/// so: 12 bytes for each byte of their memory. What lies there counts while the word itself says that it is parted
/// (FlatWord.hpp); its `init` and `written` are the word's.
#pragma once

#include "../base/Arena.hpp"
#include "../base/PatientMutex.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {

class ByteWords {
 public:
  ByteWords() = default;
  ByteWords(ByteWords const&) = delete;
  ByteWords& operator=(ByteWords const&) = delete;
  ~ByteWords();

  /// Of a byte, and, behind it, of the others of its word.
  struct Place {
    std::uint64_t* main = nullptr;
    std::uint32_t* extra = nullptr;
  };
  /// Of nothing: there are none near it yet.
  Place find(std::uintptr_t address) const {
    std::size_t const at = address - arena::global;
    Entry const* const chunks = m_chunks.load(std::memory_order_acquire);
    Chunk* const chunk = chunks == nullptr ? nullptr : chunks[at / chunk_bytes].load(std::memory_order_acquire);
    return chunk == nullptr ? Place{} : place(*chunk, at % chunk_bytes);
  }
  Place of(std::uintptr_t address);
  /// While no lane runs: a launch that had very many leaves none to the next one.
  void renew();

 private:
  static constexpr std::size_t chunk_bytes = 64 * 1024;  ///< of program memory
  static constexpr std::size_t most_kept = 64;
  struct alignas(64) Chunk {
    std::array<std::uint64_t, chunk_bytes> main;
    std::array<std::uint32_t, chunk_bytes> extra;
  };
  using Entry = std::atomic<Chunk*>;
  static constexpr std::size_t entries_bytes = arena::global_bytes / chunk_bytes * sizeof(Entry);
  static Place place(Chunk& chunk, std::size_t at) { return {chunk.main.data() + at, chunk.extra.data() + at}; }

  std::atomic<Entry*> m_chunks{nullptr};  ///< of all global memory, once there is one
  PatientMutex m_mutex;
  std::vector<std::size_t> m_made;
};

}  // namespace teamsan
