// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A launch as Kokkos asks for it: pattern, policy, geometry, names.
#pragma once

#include "../../traces/Site.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

enum class Pattern : std::uint8_t { parallel_for, parallel_reduce, parallel_scan };
enum class Policy : std::uint8_t { range, md_range, team, work_graph };

/// The indices that a range's iterations have: in each dimension so many from the first one on, all together.
struct Indices {
  static constexpr unsigned most = 6;
  unsigned rank = 0;  ///< 0: they are not told
  std::int64_t first[most] = {};
  std::uint64_t count[most] = {};
  /// Of a block, a lane each: lanes are numbered through a block, and blocks through the league, by the fastest index first.
  std::uint64_t block[most] = {};  ///< block[0] == 0: they are otherwise
  bool is_last_fastest = false;
};

/// Geometry as the GPU has it: `league_size` blocks of team_size * vector_length lanes.
struct LaunchConfig {
  std::string label;  ///< the Kokkos label, or the functor's demangled type name
  Pattern pattern = Pattern::parallel_for;
  Policy policy = Policy::range;
  std::uint64_t league_size = 1;
  std::uint32_t team_size = 1;
  std::uint32_t vector_length = 1;
  std::uint64_t busy_lanes = 0;  ///< of a range: so many lanes of the league do anything, the first ones; 0: all
  Indices indices;
  std::size_t team_scratch[2] = {0, 0};    ///< PerTeam bytes of level 0 and 1, as requested
  std::size_t thread_scratch[2] = {0, 0};  ///< PerThread bytes of level 0 and 1, as requested
  std::uint32_t instance = 0;              ///< execution space instance id
  std::string region;                      ///< profiling regions around it: "solve > assemble"

  /// Teams are the user's, with barriers in them; elsewhere what a user sees of a team's lanes is iterations.
  bool lanes_meet() const { return policy == Policy::team; }
  /// Lanes may wait for one another: those of the user's teams, and of a graph's nodes.
  bool has_teams() const { return policy == Policy::team || policy == Policy::work_graph; }
  /// A range whose blocks the simulated GPU makes as the CUDA backend does.
  bool is_one_dimensional() const { return policy == Policy::range; }
  /// Of a range, whose lanes meet nowhere but at the end, or between the steps of a scan.
  bool is_range() const { return policy == Policy::range || policy == Policy::md_range; }
};

/// A launch's configuration with what turns its lanes' indices into what a person reads.
struct LaunchFacts {
  LaunchConfig config;
  std::uint64_t number = 0;  ///< of the launch in the program, from 1
  std::uint32_t warp_width = 32;
  std::vector<Site> calls = {};  ///< of the host, to the launch: return addresses, innermost first
};

/// "TeamPolicy".
char const* policy_name(Policy policy);

/// "TeamPolicy(league=128, team=32, vector=4)".
std::string policy_text(LaunchConfig const& config);

}  // namespace teamsan
