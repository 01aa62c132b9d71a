// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// By which instructions a running team has changed device memory atomically. Where one of them gives its old value back, what
/// the team does may hang on which teams ran before it, though that is known of the launch only at its end (TeamOrder.hpp).
#pragma once

#include "../../traces/Site.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace teamsan::detect {

/// The team's thread fills it; another one may ask meanwhile, when the program is ended from outside.
class TeamAtomics {
 public:
  void note(Site site) {
    if (site != m_last) add(site);
  }
  void clear() {
    m_last = {};
    m_used.store(0, std::memory_order_relaxed);
  }
  /// Does one of them give its old value back (gives_value_back)? True, too, where there are more than are kept.
  bool give_values_back() const;

 private:
  static constexpr std::size_t most = 16;
  void add(Site site);

  Site m_last{};
  std::atomic<std::size_t> m_used{0};  ///< most + 1: there were more
  std::array<std::atomic<Site>, most> m_sites{};
};

}  // namespace teamsan::detect
