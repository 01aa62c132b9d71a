// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The teams of a recorded launch, found in the trace as the machine asks for them: in league order, which is the order in
/// which they stand there. What is damaged is left out.
#pragma once

#include "../../../traces/Site.hpp"
#include "../../machine/LaunchState.hpp"
#include "ReplayedTrace.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan::trace {

class TeamReplay;

class RecordedTeams : public LaunchScript {
 public:
  explicit RecordedTeams(ReplayedTrace& trace) : m_trace(trace) {}

  ReplayedTrace& trace() { return m_trace; }
  /// A launch whose records begin there, with the host's calls to it.
  void begin_launch(traces::Position at, bool checked, std::vector<Site> calls) {
    m_checked = checked;
    m_team_scan = m_verdict_scan = at;
    m_calls = std::move(calls);
  }

  std::uint64_t next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size) override;
  bool begin_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes,
                  std::unique_ptr<Answers>& answers) override;
  std::unordered_map<std::uint64_t, bool> const& verdicts(std::uint64_t launch, std::uint64_t league_rank) override;

  bool checked() override { return m_checked; }
  std::vector<Site> calls() override { return m_calls; }

  /// The team's next piece from there on; false: there is none.
  bool read_piece(std::uint64_t launch, std::uint64_t league_rank, traces::Position& from, traces::Bytes& bytes, bool& last);

 private:
  std::uint64_t find_next_team(std::uint64_t launch, std::uint64_t league_rank, std::uint64_t size);
  bool find_team(std::uint64_t launch, std::uint64_t league_rank, std::uint32_t lanes, TeamReplay& team);
  bool find_piece(std::uint64_t launch, std::uint64_t league_rank, traces::Position& from, traces::Bytes& bytes, bool& last);
  void find_verdicts(std::uint64_t launch, std::uint64_t league_rank);
  template <class F>
  bool scan(traces::Position& at, std::uint64_t launch, std::uint64_t league_rank, F f);

  ReplayedTrace& m_trace;
  traces::Position m_team_scan, m_verdict_scan;
  std::unordered_map<std::uint64_t, bool> m_verdicts;
  bool m_checked = true;
  std::vector<Site> m_calls;
};

}  // namespace teamsan::trace
