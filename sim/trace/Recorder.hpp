// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Writes the trace of this process (option `trace`): what the host does in the order in which it does it, and each
/// team when its turn to be committed has come. Every function here does nothing unless the process records. A trace
/// that cannot be written ends the recording, is said in one sentence, and sets the exit status.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/Finding.hpp"
#include "Mode.hpp"
#include "../../traces/TraceRecords.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace teamsan::trace {

/// What a team leaves for the trace.
struct TeamRecording {
  struct Piece {
    traces::Bytes bytes;
    std::uint64_t accesses = 0;
  };
  std::vector<Piece> pieces;
  std::vector<Site> sites;  ///< that appear in them, in the order of their appearance
  bool begun = false;              ///< pieces of it are in the trace already
};

/// Begins, unless no file is named. Once, at start.
void begin_recording(std::string const& file);

/// The simulated GPU's, as recorded.
std::vector<traces::AddressSpace> address_spaces();

/// All that was recorded is in the file. False if it could not be written. Callable after a crash.
bool finish_recording(bool crashed) noexcept;

/// The record of something that the host did.
void write(traces::RecordTag tag, traces::Bytes const& bytes);
template <class T>
void record(T const& what) {
  if (recording()) write(T::tag, traces::encode(what));
}

/// Source lines go into the trace too.
void record_host_access(AccessKind kind, std::uintptr_t address, std::uint64_t bytes, Site site);
void record_finding(Finding const& finding);
/// What these places in the code mean.
void record_places(std::span<Site const> sites);

/// Pieces of a team whose turn it is; `last`: the team is done.
void record_team(std::uint64_t launch, std::uint64_t league_rank, TeamRecording&& team, bool last);

/// What was asked of the team's order with others when it was committed.
void record_verdicts(std::uint64_t launch, std::uint64_t league_rank,
                     std::unordered_map<std::uint64_t, bool> const& verdicts);

}  // namespace teamsan::trace
