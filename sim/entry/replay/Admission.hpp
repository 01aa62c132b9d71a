// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What of a trace may be done again. Decides, before anything is done, whether a record or an event is one that a program
/// can have done to this simulated GPU, and whether the file asks for more memory or work than a file of its size may
/// (traces::TraceLimits): the trace may be damaged, or made to do harm. All of it throws traces::TraceError.
#pragma once

#include "../../machine/Lane.hpp"
#include "../../../traces/Event.hpp"
#include "../../../traces/TraceFile.hpp"
#include "../../../traces/TraceRecords.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan::trace {

class Admission {
 public:
  explicit Admission(traces::TraceReader& reader);
  ~Admission();
  Admission(Admission const&) = delete;
  Admission& operator=(Admission const&) = delete;

  // What the host did.
  void check(traces::AllocateRecord const& record);
  void check(traces::CopyRecord const& record);
  void check(traces::InitialisedRecord const& record);
  void check(traces::PendingRecord const& record);
  void check(traces::HostAccessRecord const& record);
  void check(traces::UsmAllocationRecord const& record);
  void check(traces::PrefetchRecord const& record);
  void check(traces::HostTouchRecord const& record);
  void check(traces::LimitRecord const& record);
  /// `number`: which launch it must be.
  void check(traces::LaunchRecord const& record, std::uint64_t number);

  // What a lane did.
  /// A range of memory that an event is about.
  void check_range(std::uintptr_t address, std::uint64_t bytes);
  void check_scope(std::uint32_t detail) const;
  void check_scratch(ScratchRequest const& request, std::uint32_t team_size);

  /// So many more events or records were done. Looks after the memory that they took.
  void spend(std::uint64_t steps);

 private:
  void touch(std::uint64_t bytes, std::uint64_t memory_per_byte);
  void look_at_memory(std::uint64_t coming);

  traces::TraceReader& m_reader;
  int m_statistics = -1;        ///< the process' own, open
  std::uint64_t m_coming = 0;   ///< memory that may have been touched since it was looked at
  std::uint64_t m_steps = 0;    ///< since then
};

}  // namespace teamsan::trace
