// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A finished verdict, ready for any writer: plain data, no pointer into the running simulation.
/// Detectors fill it (sim/detect), the collector merges equal ones and counts, writers turn it into text.
#pragma once

#include "../../traces/Site.hpp"
#include "../../model/device/Cost.hpp"
#include "../base/Access.hpp"
#include "../base/Rule.hpp"
#include "Words.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// One of the (at most two) lanes that did it. What is not known is absent, never guessed.
struct Side {
  AccessKind access = AccessKind::none;  ///< none: the side waits at, or left, a synchronisation
  std::uint32_t bytes = 0;               ///< of the access
  bool has_lane = false;                 ///< false: host code
  std::uint64_t league = 0;
  std::uint32_t thread = 0, vector_lane = 0, warp = 0;
  bool has_interval = false;
  std::uint64_t interval = 0;           ///< barrier interval of the team, from 0
  Site site{};                ///< instruction; 0: unknown
  std::vector<Site> callers;  ///< return addresses, innermost first; may be empty
  std::string actor = {};  ///< who, where it is no lane: "asynchronous copy"; empty: host code
  std::string role = {};  ///< for sides that are not accesses: "waits at team_barrier()", "ended"
};

/// The bytes it is about.
struct Data {
  enum class Kind : std::uint8_t { none, view, scratch, constant, lane_stack, host } kind = Kind::none;
  std::string label;  ///< View label, or empty
  int scratch_level = 0;
  std::uint64_t offset =
      0;  ///< bytes from the start of the View's data or of the scratch piece; may wrap if before
  std::uint64_t bytes = 0;          ///< size of the View's data or the scratch piece
  std::uint32_t element_bytes = 0;  ///< size of the access that gives the element index; 0: none
  Site obtained_site{};   ///< where the scratch piece was obtained
  std::vector<Site> allocated = {};  ///< the host's calls to the View's allocation, innermost first
  std::string shape = {};           ///< of the whole View: "double[64][32] LayoutLeft"; empty: unknown
  std::uintptr_t address = 0;       ///< of its first byte in simulated memory; 0: unknown
  std::string index = {};           ///< of the element: "(3, 5)"; empty: unknown
  std::string extents = {};         ///< "extent 64", where the index is none of the View's; otherwise empty
  std::uint32_t within = 0;         ///< byte of the element, where the access begins inside it
  std::string element_type = {};    ///< "ns::Particle"; empty: unknown
  std::uint32_t element_size = 0;   ///< of the View's elements; 0: unknown
  std::string field = {};           ///< of an element that is a struct: "position[1]"; empty: unknown
};

/// What a Fix is worth, as far as the machine model counts it.
struct Gain {
  bool banked = false;              ///< wavefronts of scratch; otherwise sectors of device memory
  std::uint64_t saved = 0, of = 0;  ///< of those that the line takes
  bool at_most = false;             ///< all beyond the ideal; otherwise what the model says of the Fix' own figures
  double seconds = 0;               ///< of what all launches of the kernel cost at least (model/device/Cost.hpp)
  double share = 0;                 ///< the same as a part of that, 0 to 1
  model::CostBound bound{};         ///< what makes that cost
  bool priced = false;              ///< the device's rates are known; otherwise the last three are not
  bool known() const { return of != 0; }
};

struct Finding {
  Rule rule{};
  Severity severity = Severity::error;
  std::string title;              ///< after the rule id: "write/read race on team scratch"
  std::string kernel;             ///< Kokkos label; empty: outside any kernel
  std::string policy;             ///< "TeamPolicy(league=128, team=32, vector=4)"
  std::uint64_t launch = 0;       ///< number of the launch in the program, from 1; 0: outside any
  std::uint64_t league_size = 0;  ///< teams of that launch; 0: unknown
  std::string region;             ///< "solve > assemble"; empty: none
  std::vector<Site> launched = {};  ///< the host's calls to the launch, innermost first; empty: unknown
  Data data;
  std::vector<Side> sides;  ///< offending access first
  std::vector<Because> why;
  Remedy fix;
  Gain gain = {};           ///< of the Fix of a finding of the machine model
  std::string message;      ///< free text of crash, limit and the like (may hold line breaks)
  bool sync_alone = false;  ///< made under --sync portable (or hip) alone: the CUDA backend orders the two
  /// What a team of that launch does may hang on which teams ran before it: teams race, or got values back from atomics.
  bool on_team_order = false;
  std::uint64_t count = 1;  ///< how often this finding was made (conflicting element pairs, reads, ...)
  std::uint64_t teams = 1;  ///< in how many teams
  bool count_at_least = false, teams_at_least = false;  ///< the figure is a lower bound
  bool of_blocks = false;   ///< teams are blocks of a range's iterations
};

}  // namespace teamsan
