// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What docs/soundness.md says of a case, byte by byte: which findings are true, and of which word one must be made. It keeps
/// every access of a launch and compares them by what orders lanes; it shares nothing with the simulator.
#pragma once

#include "Case.hpp"
#include "Touches.hpp"

#include "../../../sim/base/Rule.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace property::bytes {

enum class Verdict : std::uint8_t { race, same_value, uninit, outside, thrown };

/// "These two operations race", "this one reads what nobody wrote". The lower slot (then flavour) comes first.
struct Claim {
  Verdict verdict{};
  std::int8_t kernel = 0, array = 0;
  std::int8_t slot = 0, other = -1;
  Flavour flavour{}, other_flavour{};
  auto operator<=>(Claim const&) const = default;
};
std::string to_string(Claim const& claim);

/// One of `claims` must be found; or, judged by teams, any race of one of the `wide` operations on the array: what an access to
/// several words is told of is told once.
struct Demand {
  std::vector<Claim> claims;
  std::uint32_t wide = 0;  ///< a bit a slot
  auto operator<=>(Demand const&) const = default;
};

struct Expected {
  using Word = std::array<std::int64_t, 3>;  ///< kernel, array, offset / 4
  std::set<Demand> demands;
  std::map<Word, std::set<Claim>> words;  ///< what may be said of a word
  std::set<Claim> allowed;                ///< of any word
  std::uint64_t deals = 0;

  void allow(Word const& word, Claim const& claim) {
    words[word].insert(claim);
    allowed.insert(claim);
  }
};

Expected expect(Case const& c);

}  // namespace property::bytes
