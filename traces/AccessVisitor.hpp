// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Goes through a trace access by access: each with its lane, the barrier interval that the lane was in, and its order
/// among the accesses of the team as they ran.
#pragma once

#include "TraceWalk.hpp"

#include <cstdint>
#include <vector>

namespace teamsan::traces {

struct LaneAccess {
  enum class Kind : std::uint8_t { read, write, atomic_read, atomic_write, atomic_update } kind;
  std::uint32_t lane;      ///< of the team
  std::uint64_t interval;  ///< barrier interval of the team, from 0
  std::uint64_t address, bytes;
  Site site;
};

char const* name_of(LaneAccess::Kind kind);  ///< "atomic read"

/// Who overrides one of these functions calls the one here, too.
class AccessVisitor : public TraceVisitor {
 public:
  void on_run(RunRecord const& run) override { m_run = run; }
  void on_launch(LaunchRecord const& launch, bool) override { m_launch = launch; }
  void on_team(std::uint64_t league_rank) override;
  /// Throws TraceError for a lane that the launch does not have.
  void on_event(std::uint32_t lane, Event const& event, EventDecoder const&) override;

 protected:
  virtual void on_access(LaneAccess const& access) = 0;

  RunRecord const& run() const { return m_run; }
  LaunchRecord const& launch() const { return m_launch; }
  std::uint64_t league_rank() const { return m_league_rank; }

 private:
  RunRecord m_run;
  LaunchRecord m_launch;
  std::uint64_t m_league_rank = 0;
  std::vector<std::uint64_t> m_intervals, m_extents;  ///< by lane
};

}  // namespace teamsan::traces
