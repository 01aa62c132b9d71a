// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// divergence: a branch, or a loop of the kernel's own, leaves out many lanes of a warp, which wait until the others have gone
/// through it. Decided from accesses to memory (IdleLanes.hpp): arithmetic under a branch is not seen. The branch's own line is
/// told where one line alone, from the last access that the lanes made together to the first that they did not, has a branch.
#include "Performance.hpp"

#include "../base/Options.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../places/SourceFile.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

namespace teamsan::detect {

namespace {

constexpr unsigned most_lines = 40;  ///< of a body that is searched for its branch

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Does the line hold `if`, `for`, `while` or `switch` with its parenthesis, or a conditional operator?
bool has_branch(std::string_view line) {
  line = line.substr(0, line.find("//"));
  for (std::string_view const word : {"if", "for", "while", "switch"})
    for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
      if (at != 0 && is_word(line[at - 1])) continue;
      std::size_t const next = line.find_first_not_of(' ', at + word.size());
      if (next != line.npos && (line[next] == '(' || line.substr(next).starts_with("constexpr"))) return true;
    }
  return line.find(" ? ") != line.npos;
}

/// The line of the branch, or 0.
unsigned branch_line(ReportedSite const& s) {
  if (!s.place.known()) return 0;
  unsigned const last = s.place.line;
  bool const together = s.parted.known() && s.parted.path == s.place.path && s.parted.line <= last;
  unsigned const first = together ? s.parted.line : last;
  if (last - first > most_lines) return 0;
  unsigned found = 0;
  for (unsigned line = first; line <= last; ++line) {
    if (!has_branch(source_line(s.place.path, line))) continue;
    if (found != 0) return 0;
    found = line;
  }
  return found;
}

std::uint64_t lane_places(TrafficCounts const& counts, std::uint32_t width) { return counts.requests * width; }

Finding divergence_finding(ReportedTraffic const& kernel, ReportedSite const& s, unsigned line) {
  Finding f = performance_finding(Rule::divergence, kernel, s);
  TrafficCounts const& c = s.site.counts;
  std::uint64_t const lanes = lane_places(c, kernel.warp_width), idle = c.idle_of(IdleCause::branch);
  f.title = fmt::format("a branch leaves {} of a warp's lanes idle", percent(idle, lanes));
  f.why.clear();
  auto const mean = [&](std::uint64_t n) {
    return fmt::format("{:.1f}", static_cast<double>(n) / static_cast<double>(c.requests));
  };
  f.why.push_back(because(Reason::lanes_of_branch, counted(c.requests, "warp access"), mean(c.lane_accesses),
                          kernel.warp_width, mean(idle)));
  if (line != 0)
    f.why.push_back(because(Reason::branch_at, fmt::format("{}:{}", s.place.file, line),
                            normalised_source(source_line(s.place.path, line))));
  else if (s.parted.known())
    f.why.push_back(because(Reason::last_together, fmt::format("{}:{}", s.parted.file, s.parted.line)));
  bool const one_lane = c.lane_accesses == c.requests;
  f.fix = remedy(one_lane ? Cure::one_lane_branch : Cure::go_the_same_way);
  return f;
}

}  // namespace

void judge_branches(ReportedTraffic const& kernel, std::vector<CollectedFinding>& findings) {
  Options const& o = options();
  if (!o.enabled(Rule::divergence)) return;
  std::uint64_t const all = lane_places(all_counts(kernel), kernel.warp_width);
  // One finding a branch: the line under it that leaves most lanes idle.
  std::map<std::pair<std::string, unsigned>, std::pair<ReportedSite const*, unsigned>> branches;
  for (ReportedSite const& s : kernel.sites) {
    std::uint64_t const lanes = lane_places(s.site.counts, kernel.warp_width), idle = s.site.counts.idle_of(IdleCause::branch);
    if (idle == 0 || is_internal_file(s.place.path)) continue;
    if (idle * 100 < lanes * o.idle_lanes || idle * 100 < all * o.perf_share) continue;
    unsigned const line = branch_line(s);
    auto const [known, fresh] = branches.try_emplace({s.place.path, line != 0 ? line : s.place.line}, &s, line);
    if (!fresh && known->second.first->site.counts.idle_of(IdleCause::branch) < idle) known->second = {&s, line};
  }
  for (auto const& [where, what] : branches) {
    CollectedFinding one;
    one.finding = divergence_finding(kernel, *what.first, what.second);
    one.finding.severity = o.fails_on(Rule::divergence) ? Severity::error : Severity::info;
    one.teams.add(one.finding.launch, kernel.teams);
    findings.push_back(std::move(one));
  }
}

}  // namespace teamsan::detect
