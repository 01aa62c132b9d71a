// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the host of a recorded program did, done again in the trace's order: allocations, copies, fences, launches. A launch's
/// lanes are TeamReplay.hpp's.
#pragma once

#include "../../../traces/Site.hpp"
#include "RecordedTeams.hpp"
#include "ReplayedTrace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan::trace {

class HostReplay {
 public:
  explicit HostReplay(ReplayedTrace& trace);

  /// All of it, until the trace is over or damaged. Throws traces::TraceError.
  void run();
  /// The recorded program ended by a signal, abort or an exception, outside a kernel.
  bool crashed() const { return m_crashed; }

  // What each record makes it do (traces/RecordVisit.hpp).
  void operator()(traces::HostThreadRecord const& thread) { m_thread = thread.number; }
  void operator()(traces::RunRecord const& run) { m_trace.learn(run); }
  void operator()(traces::RunEndRecord const& end) { m_crashed = end.crashed; }
  void operator()(traces::AllocateRecord const& allocation);
  void operator()(traces::FreeRecord const& free);
  void operator()(traces::CopyRecord const& copy);
  void operator()(traces::InitialisedRecord const& zero);
  void operator()(traces::UsmAllocationRecord const& allocation);
  void operator()(traces::UsmFreeRecord const& free);
  void operator()(traces::UsmContextRecord const& context);
  void operator()(traces::TransferRecord const& transfer);
  void operator()(traces::PrefetchRecord const& prefetch);
  void operator()(traces::HostTouchRecord const& touch);
  void operator()(traces::FenceRecord const& fence);
  void operator()(traces::InstancesRecord const&);
  void operator()(traces::FinalizeRecord const& finalize);
  void operator()(traces::PendingRecord const& pending);
  void operator()(traces::HostAccessRecord const& access);
  void operator()(traces::LimitRecord const& limit);
  void operator()(traces::LaunchRecord const& launch);
  void operator()(traces::LaunchEndRecord const&);

 private:
  void beside_launch(std::uintptr_t begin, std::size_t bytes);
  void beside_launch_touches(std::uintptr_t address);
  std::vector<Site> stack_now();
  std::vector<Site> find_stack();

  ReplayedTrace& m_trace;
  RecordedTeams m_teams{m_trace};
  std::uint64_t m_launches = 0;
  bool m_beside = false;  ///< what comes next, another host thread did while the last launch ran
  bool m_crashed = false;
  traces::Position m_next;  ///< of the host's next record
  traces::Position m_next_stack;
  std::uint32_t m_thread = 0;  ///< of the host, whose record it is
};

}  // namespace teamsan::trace
