// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Instructions of flat words (FlatWord.hpp), of those that have no number in a byte. Each word has room for two, in chunks
/// that come to be where such an instruction touches memory first: 2 bytes for each byte of these, until the next flat launch.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/PatientMutex.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {

class WordSites {
 public:
  WordSites() = default;
  WordSites(WordSites const&) = delete;
  WordSites& operator=(WordSites const&) = delete;
  ~WordSites();

  /// Of the word at this address. Whoever changes one has made the word busy.
  using Both = std::array<std::atomic<Site>, 2>;
  Both& of(std::uintptr_t address);
  /// The same; none: nobody has changed any near it.
  Site find(std::uintptr_t address, unsigned which) const;
  /// Forgets all, while no lane runs.
  void clear();

 private:
  static constexpr std::size_t chunk_bytes = 64 * 1024;  ///< of program memory
  using Chunk = std::array<Both, chunk_bytes / 4>;
  using Entry = std::atomic<Chunk*>;
  Chunk& make(std::size_t chunk);

  std::atomic<Entry*> m_chunks{nullptr};  ///< of all global memory, once there is one
  PatientMutex m_mutex;
  std::vector<std::size_t> m_made;
};

}  // namespace teamsan
