// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who touched a word of device memory in the latest launch, as the global shadow has it: one lane of those that did. Of words
/// that lanes raced on, or touched in parts, nothing is known. Good from the launch's end until the next one begins.
#pragma once

#include "../../traces/Site.hpp"
#include "../memory/FlatWord.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {
class FlatShadow;
struct LaunchState;
}  // namespace teamsan

namespace teamsan::detect {

struct WordAccess {
  std::uint64_t league = 0;
  std::uint32_t lane = 0;
  Site site{};
  bool writes = false, atomic = false;
  std::uint8_t bytes = 15;  ///< of the word, a mask
  bool bytes_known = false; ///< else it may be some of them
};

class LaunchWords {
 public:
  LaunchWords() = default;
  explicit LaunchWords(LaunchState const& launch);
  /// The same, for who most likely never asks: what takes long is left until `settle`.
  static LaunchWords for_later(LaunchState const& launch);
  /// Before the first question. False: another launch has begun since, and nothing is known.
  bool settle();
  /// A write, if there was one.
  std::optional<WordAccess> access(std::uintptr_t word) const { return find(word, false); }
  /// False: no lane has written any of it.
  bool may_be_written(std::uintptr_t word) const;
  /// A read, of a word that teams' shadows told of.
  std::optional<WordAccess> read(std::uintptr_t word) const { return find(word, true); }

 private:
  std::optional<WordAccess> find(std::uintptr_t word, bool a_read) const;
  std::optional<WordAccess> of_bytes(std::uintptr_t word, bool a_read) const;
  Site first_site(std::uintptr_t word, FlatWord flat) const;

  std::uint32_t m_epoch = 0, m_lanes = 1;
  bool m_wide = false;
  std::vector<Site> m_sites;       ///< by the numbers that words of teams have; of flat words
  std::vector<Site> m_flat_sites;
  FlatShadow* m_flat = nullptr;    ///< whose they are, until the next launch
};

}  // namespace teamsan::detect
