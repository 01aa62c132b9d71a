// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who touched a word of device memory in the latest launch, as the global shadow has it: one lane of those that did. Of words
/// that lanes raced on, or touched in parts, nothing is known. Good from the launch's end until the next one begins.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {
struct LaunchState;
}

namespace teamsan::detect {

struct WordAccess {
  std::uint64_t league = 0;
  std::uint32_t lane = 0;
  Site site{};
  bool writes = false, atomic = false;
};

class LaunchWords {
 public:
  LaunchWords() = default;
  explicit LaunchWords(LaunchState const& launch);
  /// A write, if there was one.
  std::optional<WordAccess> access(std::uintptr_t word) const;
  /// A read, of a word that teams' shadows told of.
  std::optional<WordAccess> read(std::uintptr_t word) const;

 private:
  std::uint32_t m_epoch = 0, m_lanes = 1;
  bool m_wide = false;
  std::vector<Site> m_sites;       ///< by the numbers that words of teams have; of flat words
  std::vector<Site> m_flat_sites;
};

}  // namespace teamsan::detect
