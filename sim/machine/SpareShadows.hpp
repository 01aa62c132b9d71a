// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Shadows of teams that have had their turn, for others to use. They outlive their launch: where each launch began with none,
/// its workers would ask the system for the same pages again and again, all at once.
#pragma once

#include "../memory/TeamShadow.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace teamsan {

/// Launches take turns, and one of them says who may come to these.
class SpareShadows {
 public:
  /// In memory; what is more is given up. As large as shadows that wait for their turn may be, which hold less than they could.
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  static SpareShadows& of_program();

  /// The one that came last, which may be in the caches; nullptr: there is none.
  std::unique_ptr<TeamShadow> take();
  void add(std::unique_ptr<TeamShadow> shadow);

  std::size_t size() const { return m_shadows.size(); }
  std::size_t bytes() const { return m_bytes; }

 private:
  std::vector<std::unique_ptr<TeamShadow>> m_shadows;
  std::size_t m_bytes = 0;
};

}  // namespace teamsan
