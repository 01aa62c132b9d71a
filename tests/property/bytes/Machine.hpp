// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Runs a case on the simulated GPU, and brings what was found.
#pragma once

#include "Case.hpp"

#include "../../../sim/base/Access.hpp"
#include "../../../sim/base/Rule.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace property::bytes {

struct FoundSide {
  int slot = -1;  ///< -1: the line is none of the operations'
  teamsan::AccessKind kind = teamsan::AccessKind::none;
  std::uint64_t team = 0;
  std::uint32_t lane = 0;  ///< of the team
  std::string place;
};

struct Found {
  teamsan::Rule rule{};
  int kernel = -1, array = -1;  ///< -1: not known
  std::int64_t offset = 0;      ///< of the array's bytes
  std::vector<FoundSide> sides;
};

std::vector<Found> run(Case const& c);

/// What the device allows.
bool is_portable();  ///< sync=portable
int longest_vector();
/// Lanes of a block of a range.
int range_block();

/// Kokkos, initialised as long as it lives.
struct Session {
  Session();
  ~Session();
  Session(Session const&) = delete;
  Session& operator=(Session const&) = delete;
};

}  // namespace property::bytes
