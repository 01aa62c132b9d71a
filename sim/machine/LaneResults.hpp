// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where collectives have left their latest results for a lane, for whoever asks whether a number is one of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace teamsan {

class LaneResults {
 public:
  struct Place {
    std::uintptr_t address = 0;
    std::size_t bytes = 0;
  };
  void add(std::uintptr_t address, std::size_t bytes) { m_places[m_next++ % m_places.size()] = {address, bytes}; }
  void clear() { *this = {}; }
  std::array<Place, 4> const& places() const { return m_places; }

 private:
  std::array<Place, 4> m_places{};
  std::size_t m_next = 0;
};

}  // namespace teamsan
