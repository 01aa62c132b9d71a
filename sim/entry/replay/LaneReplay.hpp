// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A lane of a recorded team, which does again what its events say, one by one, as the kernel did it: by the same calls into
/// the runtime.
#pragma once

#include "../../../traces/Event.hpp"
#include "../../../traces/EventDecoder.hpp"

#include <cstdint>

namespace teamsan {
class RunningTeam;
}

namespace teamsan::trace {

class ReplayedTrace;

class LaneReplay {
 public:
  /// The running lane's next event; `definitions`: what it may refer to. Throws traces::TraceError.
  void carry_out(traces::Event const& event, RunningTeam& team, ReplayedTrace& trace, traces::EventDecoder const& definitions);
  /// The event was its last.
  bool ended() const { return m_ended; }

 private:
  struct Visitor;

  // What an event said for one that follows it.
  std::uint64_t m_extent = 0, m_name = 0, m_before = 0;
  std::uint64_t m_atomic_address = 0;
  std::uint32_t m_atomic_bytes = 0;
  bool m_ended = false;
};

}  // namespace teamsan::trace
