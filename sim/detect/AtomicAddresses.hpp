// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which addresses the atomics of one instruction update, how often, and by how many teams. Exact for up to `most` addresses;
/// with more, only those whose hash is small enough are kept, so that what is kept does not hang on the order in which teams
/// ran, or on which worker.
#pragma once

#include "../findings/Traffic.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace teamsan::detect {

class AtomicAddresses {
 public:
  /// A warp's lanes update the words at these offsets from the start of the data; `offsets` is sorted.
  void add(std::span<std::int64_t const> offsets, std::uint64_t league_rank);
  /// What another worker's teams updated.
  void add(AtomicAddresses const& other);
  /// What is known, without the names of the addresses.
  Contention sum() const;

 private:
  struct Word {
    std::int64_t offset = 0;
    std::uint64_t updates = 0;  ///< 0: free
    std::uint64_t teams = 0;
    std::uint64_t last_team = ~0ull;
  };
  static constexpr std::size_t most = 1 << 14;
  static constexpr std::size_t told = 8;

  bool looks_at(std::int64_t offset) const;
  /// Where it stands or would stand.
  Word& word(std::int64_t offset);
  /// nullptr: not looked at.
  Word* kept_word(std::int64_t offset);
  void rebuild(std::size_t size);

  std::uint64_t m_wanted = 0;
  std::uint32_t m_worst = 0;
  unsigned m_shift = 0;  ///< of 2^m_shift addresses one is kept
  std::size_t m_used = 0;
  std::vector<Word> m_words;  ///< open addressing
};

}  // namespace teamsan::detect
