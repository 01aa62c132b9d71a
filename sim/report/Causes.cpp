// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Causes.hpp"

#include "../findings/Sentences.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace teamsan {
namespace {

bool is_race(Rule rule) {
  return rule == Rule::scratch_race || rule == Rule::global_race || rule == Rule::same_value || rule == Rule::unfenced_handover;
}
bool is_uninit(Rule rule) { return rule == Rule::uninit_scratch || rule == Rule::uninit_global; }

/// Of the sides, sorted; empty if one is not known.
CauseHeads::Lines lines_of(ReportedFinding const& found) {
  CauseHeads::Lines lines;
  for (ReportedSide const& side : found.sides) {
    if (!side.trail.place.known()) return {};
    lines.emplace_back(side.trail.place.path, side.trail.place.line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

bool same_data(Data const& a, Data const& b) {
  return a.kind == b.kind && a.label == b.label && !a.label.empty();
}

/// A barrier is missing in the interval that both are in, on the same data.
bool miss_one_meeting(ReportedFinding const& a, ReportedFinding const& b) {
  Finding const &x = a.finding, &y = b.finding;
  auto const lacks_barrier = [](Finding const& f) {
    return way_of(f.fix.kind) == Way::barrier && f.why.size() == 1 && f.sides.size() == 2;
  };
  return lacks_barrier(x) && lacks_barrier(y) && a.why == b.why && x.launch == y.launch && same_data(x.data, y.data);
}

/// A barrier between two lines, a line into a single.
bool puts_between_lines(Cure cure) { return way_of(cure) == Way::barrier || way_of(cure) == Way::single; }

/// What is outside a ThreadVectorRange was written as if one lane of a thread carried it out.
bool repeated_by_lanes(Finding const& f) {
  return is_race(f.rule) && !f.why.empty() && f.why[0].kind == Reason::lanes_outside_range &&
         puts_between_lines(f.fix.kind);
}

/// A line that indexes one View has come out of it, and into others, whose words then race, or were never written.
bool strays_into(ReportedFinding const& a, ReportedFinding const& b) {
  Finding const &x = a.finding, &y = b.finding;
  if (x.rule != Rule::out_of_bounds || (!is_race(y.rule) && !is_uninit(y.rule)) || a.sides.empty()) return false;
  bool const two_views = x.data.kind == Data::Kind::view && y.data.kind == Data::Kind::view && x.data.label != y.data.label;
  if (!two_views || x.kernel != y.kernel) return false;
  Place const& stray = a.sides[0].trail.place;
  return stray.known() && stray.column != 0 &&
         std::ranges::any_of(b.sides, [&](ReportedSide const& side) { return side.trail.place == stray; });
}

/// What is compared of two findings.
struct Told {
  ReportedFinding const& found;
  CauseHeads::Lines const& lines;
  Finding const& finding = found.finding;
};

bool share_a_line(Told const& a, Told const& b) {
  return std::ranges::any_of(a.lines, [&](auto const& line) { return std::ranges::binary_search(b.lines, line); });
}

bool same_lines(Told const& a, Told const& b) { return !a.lines.empty() && a.lines == b.lines; }

/// The same construct inside the same other one, at the same line, whatever the kernel.
bool one_nesting(Told const& a, Told const& b) {
  Finding const &x = a.finding, &y = b.finding;
  return x.rule == Rule::nesting && y.rule == Rule::nesting && x.title == y.title && same_lines(a, b);
}

bool writes(ReportedSide const& side) {
  return side.trail.place.known() &&
         (side.side.access == AccessKind::write || side.side.access == AccessKind::atomic_write);
}

/// With the same arguments: a report that was read has kinds and sentences.
bool same_first_reason(ReportedFinding const& a, ReportedFinding const& b) {
  return !a.finding.why.empty() && !b.finding.why.empty() && a.finding.why[0].kind == b.finding.why[0].kind &&
         !a.why.empty() && !b.why.empty() && a.why[0] == b.why[0];
}

/// Is there a line whose store both are about?
bool of_one_store(ReportedFinding const& a, ReportedFinding const& b) {
  return std::ranges::any_of(a.sides, [&](ReportedSide const& x) {
    return writes(x) && std::ranges::any_of(b.sides, [&](ReportedSide const& y) {
      return writes(y) && x.trail.place.line == y.trail.place.line && x.trail.place.path == y.trail.place.path;
    });
  });
}

/// A store races with several uses of its data, and the same is lacking between it and each: what orders it with one is to
/// order it with all. (Two stores that race with one use are two causes: the one may be cured without the other.)
bool share_a_store(ReportedFinding const& a, ReportedFinding const& b) {
  Finding const &x = a.finding, &y = b.finding;
  if (x.rule != y.rule || !is_race(x.rule) || !same_data(x.data, y.data)) return false;
  if (x.kernel != y.kernel || x.kernel.empty()) return false;
  if (!same_first_reason(a, b)) return false;
  // What is to be put between two lines has a place of its own for each two.
  if (puts_between_lines(x.fix.kind) || puts_between_lines(y.fix.kind)) return false;
  // Atomic updates are in order among themselves, not with what reads the sum.
  if ((way_of(x.fix.kind) == Way::atomic_update) != (way_of(y.fix.kind) == Way::atomic_update)) return false;
  // Nor is one line's made atomic what makes two lines' so.
  auto const of_both = [](Cure cure) {
    return cure == Cure::updates_of_iterations || cure == Cure::updates_of_teams || cure == Cure::updates_of_team;
  };
  if (of_both(x.fix.kind) != of_both(y.fix.kind)) return false;
  return of_one_store(a, b);
}

/// One atomic announces, without a release, whatever was stored before it, to another one: a fence at each cures all.
bool one_announcement(ReportedFinding const& a, ReportedFinding const& b) {
  Finding const &x = a.finding, &y = b.finding;
  return x.rule == Rule::unfenced_handover && y.rule == Rule::unfenced_handover && x.kernel == y.kernel &&
         same_first_reason(a, b);
}

/// Lanes that have left a team miss all of its later meetings. Of one team, as many gone are the same ones.
bool miss_the_same_lanes(ReportedFinding const& a, ReportedFinding const& b) {
  Finding const &x = a.finding, &y = b.finding;
  auto const diverges = [](Finding const& f) { return f.rule == Rule::barrier_divergence && f.sides.size() == 2; };
  return diverges(x) && diverges(y) && x.launch == y.launch && x.sides[0].league == y.sides[0].league &&
         !x.why.empty() && x.why[0].kind == Reason::lanes_left && same_first_reason(a, b);
}

/// Is it about a global variable of the host's, or a View of its? What else lies in a heap has no name.
bool of_host_global(Finding const& f) {
  return f.rule == Rule::wrong_space && f.data.kind == Data::Kind::host && !f.data.label.empty() && !f.kernel.empty();
}

/// What guards a function's static variable is where that is.
std::string_view guarded(std::string_view variable) {
  constexpr std::string_view guard = "guard variable for ";
  return variable.starts_with(guard) ? variable.substr(guard.size()) : variable;
}

/// A global of the host's that kernels touch, whichever: it is in the wrong place once.
bool one_variable(Finding const& x, Finding const& y) {
  return of_host_global(x) && of_host_global(y) && guarded(x.data.label) == guarded(y.data.label);
}

bool one_cause(Told const& a, Told const& b) {
  Finding const &x = a.finding, &y = b.finding;
  if (one_variable(x, y) || one_nesting(a, b) || one_announcement(a.found, b.found) || miss_the_same_lanes(a.found, b.found))
    return true;
  if (x.kernel != y.kernel || x.kernel.empty()) return false;
  if (is_race(x.rule) && is_race(y.rule)) {
    // The same statements on two Views that take turns; a race whose stores were equal at times, or which an atomic
    // without a fence stood between at times.
    if (same_lines(a, b)) return x.rule != y.rule || x.data.label != y.data.label;
    return miss_one_meeting(a.found, b.found) ||
           (repeated_by_lanes(x) && repeated_by_lanes(y) && (same_data(x.data, y.data) || share_a_line(a, b)));
  }
  // What nobody had written yet, since nothing made the reader wait for the writer.
  return is_race(x.rule) && is_uninit(y.rule) && same_data(x.data, y.data) && b.lines.size() == 1 &&
         std::ranges::binary_search(a.lines, b.lines[0]);
}

/// Whose findings may be of one cause: a kernel's; of nesting and of a variable, all.
std::string const& group_of(ReportedFinding const& f) {
  static auto const& all = *new std::string;  // never destroyed: reports are written while the program ends
  return f.finding.rule == Rule::nesting || of_host_global(f.finding) ? all : f.finding.kernel;
}

std::string key_of_lines(Rule rule, CauseHeads::Lines const& lines) {
  std::string key = std::to_string(static_cast<int>(rule));
  for (auto const& [path, line] : lines) key.append("\x1f").append(path).append(":").append(std::to_string(line));
  return key;
}

}  // namespace

std::size_t CauseHeads::of(std::vector<ReportedFinding> const& findings, std::size_t i) {
  constexpr std::size_t most_compared = 256;  // of a kernel with very many, the first ones
  ReportedFinding const& one = findings[i];
  Lines lines = lines_of(one);
  Told const told{one, lines};
  std::vector<Known>& known = m_known[group_of(one)];
  auto const of_its_cause = std::ranges::find_if(known, [&](Known const& before) {
    // An error does not stand under a warning.
    if (findings[before.head].finding.severity < one.finding.severity) return false;
    Told const other{findings[before.finding], before.lines};
    // What all lanes of a thread carry out spreads from line to line.
    bool const spreads = repeated_by_lanes(other.finding) && repeated_by_lanes(one.finding);
    return share_a_store(other.found, one) || strays_into(other.found, one) ||
           ((before.finding == before.head || spreads) && (one_cause(other, told) || one_cause(told, other)));
  });
  std::size_t head = of_its_cause == known.end() ? i : of_its_cause->head;
  // The same lines in another kernel: what both are made of has the fault.
  if (!lines.empty() && !one.finding.kernel.empty() && one.finding.severity != Severity::info) {
    auto const [first, fresh] = m_of_lines.try_emplace(key_of_lines(one.finding.rule, lines), head);
    Finding const& before = findings[first->second].finding;
    if (head == i && !fresh && before.severity >= one.finding.severity && before.kernel != one.finding.kernel)
      head = first->second;
  }
  if (known.size() != most_compared) known.push_back({i, head, std::move(lines)});
  return head;
}

std::vector<std::size_t> first_of_cause(std::vector<ReportedFinding> const& findings) {
  CauseHeads heads;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < findings.size(); ++i) first.push_back(heads.of(findings, i));
  return first;
}

}  // namespace teamsan
