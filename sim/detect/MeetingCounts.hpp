// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How often teams met at each construct, by how their values were joined there.
#pragma once

#include "../base/Lane.hpp"
#include "../base/Synchronisation.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace teamsan::detect {

class MeetingCounts {
 public:
  static constexpr std::size_t joins = static_cast<std::size_t>(Join::narrow_branching) + 1;
  using Row = std::array<std::uint64_t, joins>;

  Row& of(Meeting meeting) { return m_rows[static_cast<std::size_t>(meeting)]; }
  Row const& of(Meeting meeting) const { return m_rows[static_cast<std::size_t>(meeting)]; }
  void add(MeetingCounts const& other) {
    for (std::size_t i = 0; i != m_rows.size(); ++i)
      for (std::size_t k = 0; k != joins; ++k) m_rows[i][k] += other.m_rows[i][k];
  }

 private:
  std::array<Row, static_cast<std::size_t>(Meeting::kernel_end) + 1> m_rows{};
};

}  // namespace teamsan::detect
