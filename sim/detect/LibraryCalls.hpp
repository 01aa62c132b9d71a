// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The user's calls of Kokkos' atomics that the compiler left out of line: without optimisation all of them, and those of types
/// that the hardware cannot swap where several places call them. An earlier access there is known by its instruction alone,
/// which is the same for every caller; by these calls it gets the line that means something to the user.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/PatientMutex.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// Those of a launch.
class LibraryCalls {
 public:
  /// An instruction in a function of Kokkos', and the user's call that led to that function.
  struct Call {
    Site inner, user;
    friend auto operator<=>(Call const&, Call const&) = default;
  };

  void note(Call call, std::uint64_t league_rank);

  /// The user's calls, up to the team `last_team` in league order, that reach the function which the instruction is in; a
  /// place each, in the order of their lines. None where the instruction is the user's own.
  std::vector<Site> calls_of(Site site, std::uint64_t last_team) const;

 private:
  mutable PatientMutex m_mutex;
  std::map<Call, std::uint64_t> m_calls;  ///< the first team in league order
};

/// What the running lane does at `inner` for the user's atomic operation at `user` is in a function of Kokkos' that is not in
/// line, unless both are one.
void note_library_call(Team& team, Site inner, Site user);

}  // namespace teamsan::detect
