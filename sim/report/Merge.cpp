// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Merge.hpp"

#include "../findings/Sentences.hpp"
#include "../places/AtomicForm.hpp"
#include "../places/DeclaredName.hpp"
#include "../places/Enclosing.hpp"
#include "../places/Program.hpp"
#include "../places/SourceFile.hpp"
#include "FindingId.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace teamsan {
namespace {

constexpr char separator = '\x1f';

std::string file_and_line(Place const& place) {
  return place.known() ? fmt::format("{}:{}", place.file, place.line) : std::string("unknown place");
}

/// What the line declares with a piece of scratch; empty: nothing that is known.
std::string declared_at(Place const& place) {
  return declared_scratch(source_line(place.path, place.line), place.column,
                          normalised_source(source_line(place.path, place.line - 1)));
}

/// The side's place and the calls to it, outermost first.
std::vector<Place> way_in(ReportedSide const& side) {
  std::vector<Place> way(side.trail.callers.rbegin(), side.trail.callers.rend());
  way.push_back(side.trail.place);
  return way;
}

/// Is the function that the one place is in, to which more is not known to lead, around the other, too?
bool stands_in_body_of(Place const& outer, Place const& inner) {
  if (outer.path != inner.path) return false;
  unsigned const body = enclosing_constructs(outer).body();
  return body != 0 && std::ranges::count(enclosing_constructs(inner).bodies, body) != 0;
}

bool stand_in_one_body(Place const& a, Place const& b) {
  unsigned const body = a.path == b.path ? enclosing_constructs(a).body() : 0;
  return body != 0 && body == enclosing_constructs(b).body();
}

/// Lines of one function on the ways to both sides, as far out as these lines differ: between them something can be put that
/// orders the sides. Of a side whose calls are not all known, what is known begins somewhere on the other's way.
std::pair<Place, Place> parting_lines(std::vector<ReportedSide> const& sides) {
  std::vector<Place> const a = way_in(sides[0]), b = way_in(sides[1]);
  // A lambda that was inlined may pass for the function that it stands in.
  auto const same_function = [](Place const& x, Place const& y) {
    if (x.function != y.function || x.path != y.path) return false;
    unsigned const of_x = enclosing_constructs(x).body(), of_y = enclosing_constructs(y).body();
    return of_x == of_y || of_x == 0 || of_y == 0;
  };
  auto const differ = [](Place const& x, Place const& y) { return x.line != y.line || x.path != y.path; };
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (i != 0 && j != 0) break;  // one of them is the outermost
      for (std::size_t k = 0; i + k < a.size() && j + k < b.size() && same_function(a[i + k], b[j + k]); ++k)
        if (differ(a[i + k], b[j + k])) return {a[i + k], b[j + k]};
    }
  // The calls that led to a lambda may not be known: its text says what it stands in, and which lines are of one.
  for (Place const& x : a)
    for (Place const& y : b)
      if (differ(x, y) && stand_in_one_body(x, y)) return {x, y};
  for (Place const& x : a)
    for (Place const& y : b)
      if (differ(x, y) && (stands_in_body_of(x, y) || stands_in_body_of(y, x))) return {x, y};
  return {sides[0].trail.place, sides[1].trail.place};
}

/// The same, as they follow one another in the text.
std::pair<Place, Place> where_ways_part(std::vector<ReportedSide> const& sides) {
  if (sides.size() != 2) return {};
  auto [from, to] = parting_lines(sides);
  if (from.path == to.path && from.line > to.line) std::swap(from, to);
  return {from, to};
}

/// Says the sentences of a finding with these sides.
class SidesSpeaker : public Speaker {
 public:
  explicit SidesSpeaker(std::vector<ReportedSide> const& sides) : m_sides(sides) {}

  std::string place(CodePlace place) const override {
    Place const at = user_place(place.site);
    return place.with_column ? to_string(at) : file_and_line(at);
  }
  std::string declared(DeclaredThere name) const override {
    std::string const declared = declared_at(user_place(name.site));
    return declared.empty() ? "one" : declared;
  }
  std::string named(std::string_view name) const override {
    if (name == "first") return line_of_side(0);
    if (name == "second") return line_of_side(1);
    if (name == "update") return update_words(update_of_side(0));
    if (name == "updates") return updates();
    auto const [from, to] = where_ways_part(m_sides);
    return file_and_line(name == "from" ? from : to);
  }

 private:
  std::string line_of_side(std::size_t i) const {
    return file_and_line(i < m_sides.size() ? m_sides[i].trail.place : Place{});
  }
  UpdateOfLine update_of_side(std::size_t i) const {
    return i < m_sides.size() ? update_at(m_sides[i].source, m_sides[i].trail.place.column) : UpdateOfLine{};
  }
  static std::string update_words(UpdateOfLine const& update) {
    return update.form.empty() ? fmt::format(" (Kokkos::{} and its like)", update.like) : ": " + update.form;
  }
  std::string updates() const {
    UpdateOfLine const one = update_of_side(0), other = update_of_side(1);
    if (one.form.empty() || other.form.empty() || one.form == other.form) return update_words(one.form.empty() ? one : other);
    return fmt::format(": {} and {}", one.form, other.form);
  }

  std::vector<ReportedSide> const& m_sides;
};

/// The user's own among these calls, innermost first.
std::vector<Place> users_calls(std::vector<Site> const& calls) {
  Trail trail = user_trail({}, calls);
  if (!trail.place.known() || trail.place.internal) return {};
  std::vector<Place> places{std::move(trail.place)};
  places.insert(places.end(), std::make_move_iterator(trail.callers.begin()), std::make_move_iterator(trail.callers.end()));
  return places;
}

/// Of an element that is a struct.
void name_field(Finding& finding) {
  Data& data = finding.data;
  if (data.element_size == 0 || data.offset >= data.bytes) return;
  auto const ask = [&](Site site) {
    if (site != Site{} && data.field.empty())
      data.field = program().field(site, data.element_type, data.element_size, data.within);
  };
  if (data.element_type.empty()) return ask(data.obtained_site);  // scratch that a View was made of
  for (Side const& side : finding.sides) ask(side.site);
}

ReportedFinding symbolise(CollectedFinding const& raw) {
  ReportedFinding result;
  result.finding = raw.finding;
  result.kernel_launch = raw.kernel_launch;
  Finding& finding = result.finding;
  for (Side const& side : finding.sides) {
    Trail trail = user_trail(side.site, side.callers);
    std::string source = source_line(trail.place.path, trail.place.line);
    result.sides.push_back({side, std::move(trail), std::move(source)});
  }
  result.launched = users_calls(finding.launched);
  result.obtained = user_place(finding.data.obtained_site, finding.data.allocated);
  if (result.obtained.internal) result.obtained = {};  // a line of Kokkos' own tells a user nothing
  if (Data& data = finding.data; data.kind == Data::Kind::scratch && data.label.empty())
    data.label = declared_at(result.obtained);
  name_field(finding);
  SidesSpeaker const speaker(result.sides);
  for (Because const& why : finding.why) result.why.push_back(say(why, speaker));
  if (!finding.fix.empty()) result.fix = say(finding.fix, speaker);
  return result;
}

/// What the data is called, so that two arrays used in one line are two findings. For scratch it is the text of the line
/// that obtained it.
std::string data_name(ReportedFinding const& found) {
  Data const& data = found.finding.data;
  std::string name = data.label;
  if (data.kind == Data::Kind::scratch && found.obtained.known())
    name = normalised_source(source_line(found.obtained.path, found.obtained.line));
  return fmt::format("{}{}{}", static_cast<int>(data.kind), separator, name);
}

/// The sides' parts of a key, in an order that does not hang on which side came first.
std::string join_sorted(std::vector<std::string> parts) {
  std::sort(parts.begin(), parts.end());
  std::string result;
  for (auto const& part : parts) result += separator + part;
  return result;
}

std::string line_key(ReportedFinding const& found) {
  std::vector<std::string> parts;
  for (auto const& side : found.sides)
    parts.push_back(side.trail.place.known()
                        ? fmt::format("{}:{}", side.trail.place.path, side.trail.place.line)
                        : fmt::format("{:x} {}", number_of(side.side.site), side.side.role));
  Finding const& finding = found.finding;
  std::string key = fmt::format("{1}{0}{2}{0}{3}{4}", separator, static_cast<int>(finding.rule),
                                finding.kernel, data_name(found), join_sorted(std::move(parts)));
  key += separator + finding.message + separator + finding.data.label;
  return lacks_end_of_launch(finding) ? key + separator + "teams" : key;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, whose constants these are
  for (unsigned char const c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

std::string id_of(ReportedFinding const& found, unsigned repetition) {
  std::vector<std::string> parts;
  for (auto const& side : found.sides)
    parts.push_back(side.source.empty() ? side.trail.place.function : normalised_source(side.source));
  std::string text = fmt::format("{1}{0}{2}{0}{3}{4}", separator, rule_id(found.finding.rule),
                                 found.finding.kernel, data_name(found), join_sorted(std::move(parts)));
  if (repetition != 0) text += fmt::format("{}{}", separator, repetition);
  return id_of_hash(hash_of(text));
}

}  // namespace

bool lacks_end_of_launch(Finding const& f) {
  if (f.rule != Rule::global_race || f.sides.size() != 2 || f.why.empty()) return false;
  if (f.sides[0].access != AccessKind::write || f.sides[1].access != AccessKind::read) return false;
  bool const of_teams = f.why[0].kind == Reason::teams_unordered || f.why[0].kind == Reason::teams_without_handover;
  return of_teams && way_of(f.fix.kind) != Way::atomic_update;
}

void LineMerge::set_id(ReportedFinding& found) {
  for (unsigned repetition = 0;; ++repetition) {
    found.id = id_of(found, repetition);
    if (m_ids.insert(found.id).second) break;
  }
}

LineMerge::Added LineMerge::add(CollectedFinding const& raw) {
  ReportedFinding found = symbolise(raw);
  auto const [it, fresh] = m_known.try_emplace(line_key(found), m_findings.size());
  std::size_t const number = it->second;
  if (fresh) {
    set_id(found);
    m_findings.push_back(std::move(found));
    m_teams.push_back(raw.teams);
    return {number, true};
  }
  ReportedFinding& kept = m_findings[number];
  // What holds under every --sync is the better example.
  if (kept.finding.sync_alone && !found.finding.sync_alone) {
    std::swap(kept, found);
    std::swap(kept.id, found.id);
    kept.finding.count -= raw.finding.count;
    kept.finding.count += found.finding.count;
  }
  Finding& example = kept.finding;
  example.count += raw.finding.count;
  example.count_at_least = example.count_at_least || found.finding.count_at_least || raw.finding.count_at_least;
  example.teams_at_least = example.teams_at_least || found.finding.teams_at_least || raw.finding.teams_at_least;
  example.severity = std::max({example.severity, found.finding.severity, raw.finding.severity});
  m_teams[number].merge(raw.teams);
  return {number, false};
}

std::vector<ReportedFinding> LineMerge::take() {
  for (std::size_t i = 0; i < m_findings.size(); ++i) {
    m_findings[i].finding.teams = m_teams[i].teams();
    m_findings[i].launches = m_teams[i].launches();
    Finding& finding = m_findings[i].finding;
    bool const all = m_findings[i].launches == 1 && finding.teams == finding.league_size;
    finding.teams_at_least = (finding.teams_at_least || m_teams[i].is_lower_bound()) && !all;
  }
  return std::move(m_findings);
}

std::vector<ReportedFinding> merge_by_lines(std::vector<CollectedFinding> const& raw) {
  LineMerge merged;
  for (CollectedFinding const& one : raw) merged.add(one);
  return merged.take();
}

}  // namespace teamsan
