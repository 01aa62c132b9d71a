// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunningTeam.hpp"

#include "../base/Options.hpp"
#include "../findings/Collector.hpp"
#include "../findings/TextLayout.hpp"
#include "CallStack.hpp"

#include <fmt/format.h>

namespace teamsan {

namespace {
/// Accesses of a lane out of bounds.
constexpr std::uint32_t most_strays = 1 << 20;
}  // namespace

std::uint32_t RunningTeam::first_tick() { return sync_mode() == Sync::cuda ? 1 : 3; }  // forget_reads needs stamps before it

std::string& RunningTeam::output_of(LaneState const& lane) {
  if (m_output.empty()) m_output.resize(m_count);
  return m_output[lane.lane.index];
}

Team::Team() = default;
Team::~Team() = default;

LaneStand Team::stand(std::uint32_t index) const {
  LaneState const& l = m_lanes[index];
  return {index, l.status, l.waits.meeting, l.waits.site};
}

ThrowPlace const* Team::thrown() const { return static_cast<LaneState const&>(*hot.lane).thrown.get(); }
LaneResults const& Team::results() const { return static_cast<LaneState const&>(*hot.lane).results; }

std::vector<Site> Team::callers(std::uint32_t index) const { return call_stack(m_lanes[index]); }

void Team::note_stray() {
  LaneState& lane = running_lane();
  if (++lane.strays < most_strays || lane.no_switch != 0) return;
  Collector::instance().note(
      fmt::format("kernel \"{}\": a lane was out of bounds {} times without an end; it was not run on, nor was its team",
                  m_launch->facts.config.label, with_commas(most_strays)));
  static_cast<RunningTeam*>(this)->run_away();
}

}  // namespace teamsan
