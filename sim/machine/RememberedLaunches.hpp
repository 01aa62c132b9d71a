// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is known of a kernel's launches that arithmetic has decided (DecidedLaunch.hpp), so that one like them is not thought
/// over anew: of the same indices, by a functor in which all numbers that addresses hang on are the same, while the allocations
/// are there and no index has been written since that lanes look up. What has been written by then is asked each time.
#pragma once

#include "DecidedLaunch.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace teamsan {

class RememberedLaunches {
 public:
  bool any() const { return !m_all.empty(); }
  /// Of a launch with this kernel object. nullptr: none was like it. Allocations are held.
  LaneRows const* find(void const* kernel, Indices const& indices, std::uint32_t context);
  /// `accesses` are the launch's, as its first lane told them.
  void keep(LaneRows const& rows, LaneAccesses const& accesses, void const* kernel, std::size_t kernel_bytes,
            Indices const& indices, std::uint32_t context);

  /// The first team of a launch that was decided was checked all the same: was nothing told of it?
  void note_first_team(bool clean) { m_first_teams_were_clean = m_first_teams_were_clean.value_or(true) && clean; }
  /// Each time, and at least once.
  bool first_teams_were_clean() const { return m_first_teams_were_clean.value_or(false); }

  /// Whether lanes of launches that are thought over may be looked at one by one.
  LaneLooks& looks() { return m_looks; }

 private:
  static constexpr std::size_t most = 4;
  /// Of the kernel object: so many bytes from there on are that number.
  struct Number {
    std::uint32_t from = 0, bytes = 0;
    std::uint64_t value = 0;
    bool operator==(Number const&) const = default;
  };
  struct Launch {
    Indices indices;
    std::uint32_t context = 0;
    std::vector<Number> numbers;
    LaneRows rows;
  };
  std::vector<Launch> m_all;
  std::size_t m_next = 0;  ///< to be replaced
  LaneLooks m_looks;
  std::optional<bool> m_first_teams_were_clean;  ///< nothing: no such team has been noted
};

}  // namespace teamsan
