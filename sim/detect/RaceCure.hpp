// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What cures a race, from what is known of the two accesses: a table, of which the first line that fits holds. It does not
/// know what the program means, so that a cure may name two ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan::detect {

/// Who the two are to each other.
enum class Between : std::uint8_t {
  vector_lanes,  ///< of one thread
  threads,       ///< of a team
  iterations,    ///< of a range, in one block or in two
  teams
};

struct RaceFacts {
  Between between;
  bool both_write = false;
  bool first_atomic = false, second_atomic = false;  ///< of the sides as they are told, the writer first
  bool one_line = false;        ///< both stand on one source line
  bool updates = false;         ///< both read the element and write it
  bool in_vector_loop = false;  ///< the running lane is in one
  bool in_range = false;        ///< the running lane is in any range, or in a single
  bool in_team_range = false;   ///< in one that the whole team goes through: a TeamVectorRange, a single(PerTeam)
  std::string barrier = {};     ///< the place of the last barrier, if it stands between the two
  bool hands_over = false;      ///< both, teams or iterations, release or acquire something
  bool portable = false;        ///< the CUDA backend orders the two
};

/// May hold {first}, {second}, {update} and {from}, {to}: see Finding.
std::string race_cure(RaceFacts const& facts);

/// Do both stand on one source line of the user's?
bool on_one_line(std::uintptr_t a, std::vector<std::uintptr_t> const& callers, std::uintptr_t b);

}  // namespace teamsan::detect
