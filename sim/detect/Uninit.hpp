/// Reads of what nothing has written. Such a read stays a candidate until the end of the barrier interval (scratch) or
/// of the launch (device memory): if another lane wrote the bytes in that time, the two race, and the race is the
/// finding.
#pragma once

#include <teamsan/sim/detect/RawFinding.hpp>
#include <teamsan/sim/memory/Cell.hpp>

#include <cstdint>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

struct UninitRead {
  Key key;
  std::uintptr_t address;   ///< of the word or byte
  std::uint32_t bytes;      ///< of the access
  std::uint32_t lane;
  std::uint64_t league;
  std::uint64_t interval;
  std::uintptr_t pc;
  bool scratch;
  bool atomic;
  Who who;                  ///< the reader and its thread's latest meeting, as in a Mark
};

/// The team's barrier interval (or the team) ends: what no other lane has written meanwhile is a finding (scratch) or
/// stays a candidate until the launch ends (device memory: moved to the team's list).
void end_interval(Team& team, Who floor);

/// The launch ends: candidates whose bytes other teams wrote are dropped, the others are findings.
void end_launch(std::vector<UninitRead>& candidates, std::uint32_t epoch, FindingList& findings);

}  // namespace teamsan::detect
