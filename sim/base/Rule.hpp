// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The rules by name, and what Rules.def says of each.
#pragma once

#include <cstdint>
#include <span>

namespace teamsan {

enum class Rule : std::uint8_t {
#define TEAMSAN_RULE(name, ...) name,
#include "Rules.def"
#undef TEAMSAN_RULE
};

enum class Severity : std::uint8_t { info, warning, error };

/// Whether the verdict hangs on source lines, which tell Kokkos' own code from the user's.
enum class Decided : std::uint8_t { by_lines, anyhow };

/// What becomes of the team that it is found in.
enum class After : std::uint8_t { goes_on, ends_team };

/// What must run again for a finding to be made again: one team (all of the launch, if lanes of several are in it), the launch,
/// all launches of the kernel, or the program; the program if an earlier kernel is the other side.
enum class RerunScope : std::uint8_t { team, launch, kernel, program, program_if_two };

/// The heading of compute-sanitizer's that CTest puts it under; by_name: there is none.
enum class Summary : std::uint8_t { race, uninitialised, invalid, barrier, leaked, by_name };

/// A line of Rules.def.
struct RuleInfo {
  Rule rule;
  char const* id;     ///< "scratch-race"
  char const* group;  ///< "race"
  Severity severity;  ///< by default
  Decided decided;
  After after;
  RerunScope rerun;
  char const* counted;  ///< "element pair"
  Summary summary;
  char const* text;  ///< what it finds
};

/// All of them, in the order of Rules.def.
std::span<RuleInfo const> rules();

RuleInfo const& rule_info(Rule rule);
inline char const* rule_id(Rule rule) { return rule_info(rule).id; }

char const* severity_name(Severity severity);  ///< "info", "warning", "error"

}  // namespace teamsan
