// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the lanes of one running team do, as bytes for the trace. The callbacks follow the team's script themselves
/// (check/Watched.hpp); all other events come here.
#pragma once

#include "../../traces/Site.hpp"
#include "../memory/Hot.hpp"
#include "Fields.hpp"
#include "Recorder.hpp"
#include "../../traces/EventEncoder.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan::trace {

using traces::EventKind;

class TeamTrace {
 public:
  /// `when_full` is called when the bytes so far should go to the trace.
  explicit TeamTrace(std::function<void()> when_full) : m_when_full(std::move(when_full)) {}

  void begin();

  /// The running lane: hot.trace_next is its cursor from here on.
  void enter(std::uint32_t lane) {
    hot.team_trace = this;
    hot.trace_next = m_encoder.enter(lane);
  }
  void leave() {
    m_encoder.leave(hot.trace_next);
    hot.trace_next = nullptr;
  }

  void add(std::uint64_t key, std::uint64_t operand) {
    hot.trace_next = m_encoder.add(hot.trace_next, key, operand);
    if (m_encoder.size() >= piece_bytes) m_when_full();
  }
  std::uint64_t define(std::string_view bytes) { return m_encoder.define(hot.trace_next, bytes); }
  void note_places(std::vector<Site> const& sites) {
    m_more_sites.insert(m_more_sites.end(), sites.begin(), sites.end());
  }

  /// What was recorded since the last call joins `to`.
  void take(TeamRecording& to);

 private:
  static constexpr std::size_t piece_bytes = 128 * 1024;

  std::function<void()> m_when_full;
  traces::EventEncoder m_encoder;
  std::size_t m_keys_taken = 0;
  std::vector<Site> m_more_sites;
};

/// An event of the running lane that is no access, if it is recorded.
[[gnu::cold]] void note_slowly(std::uint64_t key, std::uint64_t operand);
[[gnu::always_inline]] inline void note(EventKind kind, Site site = {}, std::uint64_t operand = 0,
                                        std::uint64_t detail = 0) {
  if (hot.trace_next != nullptr) [[unlikely]] note_slowly(traces::event_key(kind, site, detail), operand);
}
/// The same for an event that refers to a definition. Call it if hot.trace_next is set.
[[gnu::cold]] void note_defined(EventKind kind, Site site, std::string_view definition,
                                std::uint64_t detail = 0);
/// Places in the code that a definition names.
[[gnu::cold]] void note_places(std::vector<Site> const& sites);

/// An access by the callbacks that the script did not expect. Those that nobody looks at are not recorded.
[[gnu::cold]] void note_access(std::uint64_t key, std::uintptr_t address);
/// An exception left the kernel, or a signal ended it. Call it if hot.trace_next is set.
void note_end(EventKind kind, LaneEnd const& end);
/// A range of bytes.
void note_range(EventKind kind, std::uintptr_t address, std::size_t bytes, Site site);

}  // namespace teamsan::trace
