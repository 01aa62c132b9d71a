// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a team's lanes wait for: the words that they loaded again and again, by atomics, when they last let others run, and
/// what they found there. Where other workers get on meanwhile, a lane whose word is as it was need not be asked: a look at the
/// word is a load, a lane's turn two switches and the checks of what it does. It is a guess all the same (the lane may wait for
/// more than that word, or the word may have been changed and changed back), so every so often all lanes have their turns.
#pragma once

#include "../base/Arena.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {

class Polls {
 public:
  /// What a lane found at an address: `log_bytes` up to 3.
  struct Word {
    std::uintptr_t address = 0;
    std::uint64_t value = 0;
    int log_bytes = 0;
  };

  void begin_team() { ++m_team, m_left_out = 0; }

  /// The lane, of so many, lets others run: since it finds that at the word, or (nullptr) for whatever else.
  void note(std::uint32_t lane, std::uint32_t count, Word const* word) {
    bool const known = word != nullptr && arena::contains(arena::base, arena::constant - arena::base, word->address);
    if (!known && m_of_lanes.size() <= lane) return;
    if (m_of_lanes.size() < count) m_of_lanes.resize(count);
    m_of_lanes[lane] = known ? OfLane{*word, m_team} : OfLane{};
  }

  /// Did it wait for a word, when it last let others run?
  bool knows(std::uint32_t lane) const { return lane < m_of_lanes.size() && m_of_lanes[lane].team == m_team; }
  /// Would it most likely find the same again?
  bool waits(std::uint32_t lane) const { return knows(lane) && now(m_of_lanes[lane].word) == m_of_lanes[lane].word.value; }

  /// All lanes that could run do so: may the team's turn be left out?
  bool leave_out_turn() {
    constexpr unsigned most = 32;  // one after the other
    if (++m_left_out <= most) return true;
    m_left_out = 0;
    return false;
  }

 private:
  struct OfLane {
    Word word;
    std::uint64_t team = 0;  ///< begun then
  };

  static std::uint64_t now(Word const& word) {
    auto const load = [&]<class T>(T const*) -> std::uint64_t {
      return __atomic_load_n(reinterpret_cast<T const*>(word.address), __ATOMIC_RELAXED);
    };
    switch (word.log_bytes) {
      case 0:
        return load(static_cast<std::uint8_t const*>(nullptr));
      case 1:
        return load(static_cast<std::uint16_t const*>(nullptr));
      case 2:
        return load(static_cast<std::uint32_t const*>(nullptr));
      default:
        return load(static_cast<std::uint64_t const*>(nullptr));
    }
  }

  std::uint64_t m_team = 0;
  unsigned m_left_out = 0;
  std::vector<OfLane> m_of_lanes;
};

}  // namespace teamsan
