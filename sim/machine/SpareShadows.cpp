// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SpareShadows.hpp"

#include <utility>

namespace teamsan {

SpareShadows& SpareShadows::of_program() {
  static auto& spare = *new SpareShadows;  // the program's destructors may launch
  return spare;
}

std::unique_ptr<TeamShadow> SpareShadows::take() {
  if (m_shadows.empty()) return nullptr;
  std::unique_ptr<TeamShadow> shadow = std::move(m_shadows.back());
  m_shadows.pop_back();
  m_bytes -= shadow->bytes();
  return shadow;
}

void SpareShadows::add(std::unique_ptr<TeamShadow> shadow) {
  std::size_t const bytes = shadow->bytes();
  if (m_bytes + bytes > most_bytes) return;
  m_bytes += bytes;
  m_shadows.push_back(std::move(shadow));
}

}  // namespace teamsan
