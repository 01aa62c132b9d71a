// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckpointComparison.hpp"

#include "../findings/TextLayout.hpp"
#include "../../traces/Printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace teamsan::cli {
namespace {

using traces::Checkpoint;
using traces::CheckpointFile;
using traces::ElementDifference;
using traces::printable;
using traces::SnapshotDifference;

std::string snapshot_name(Checkpoint const& entry) {
  std::string const name = printable(entry.name);
  return entry.occurrence == 0 ? fmt::format("\"{}\"", name) : fmt::format("\"{}\" #{}", name, entry.occurrence + 1);
}

std::string title(Checkpoint const& entry) {
  return snapshot_name(entry) + "  " + printable(traces::shape_text(entry)) +
         (entry.label.empty() || entry.label == entry.name ? "" : fmt::format("  View \"{}\"", printable(entry.label)));
}

std::string measure(double value) {
  return std::isfinite(value) ? fmt::format("{:.3g}", value) : "unbounded";
}

std::string distance_text(Checkpoint const& shape, traces::Distance const& distance) {
  switch (shape.kind) {
    case traces::ElementKind::bytes:
      return "";
    case traces::ElementKind::boolean:
      return "";
    case traces::ElementKind::signed_integer:
    case traces::ElementKind::unsigned_integer:
      return fmt::format("  apart by {:.0f}", distance.absolute);
    case traces::ElementKind::real:
    case traces::ElementKind::complex:
      break;
  }
  return fmt::format("  {}relative {}, absolute {}",
                     distance.ulps ? counted(*distance.ulps, "ulp") + ", " : "", measure(distance.relative),
                     measure(distance.absolute));
}

std::string element_line(std::string_view name, Checkpoint const& shape, ElementDifference const& element) {
  std::string const index = traces::index_text(shape.extents, element.element);
  return entry(name, fmt::format("{}{}A {}  B {}{}", index, index.empty() ? "" : "  ", element.first,
                                 element.second, distance_text(shape, element.distance)));
}

std::string difference_text(ComparedSnapshot const& snapshot) {
  Checkpoint const& shape = *snapshot.first;
  SnapshotDifference const& d = snapshot.difference;
  std::string count = fmt::format("{} of {}", with_commas(d.differing), counted(shape.elements, "element"));
  if (d.one_sided_nans > 0) count += fmt::format("; {} NaN on one side alone", with_commas(d.one_sided_nans));
  std::string text = entry("Differ", count) + element_line("First", shape, *d.first);
  if (d.worst->element != d.first->element) text += element_line("Worst", shape, *d.worst);
  if (d.largest->element != d.first->element && d.largest->element != d.worst->element)
    text += element_line("Largest", shape, *d.largest);
  return text;
}

std::string snapshot_text(ComparedSnapshot const& snapshot) {
  std::string const head = entry("Data", title(snapshot.any()));
  switch (snapshot.verdict) {
    case SnapshotVerdict::same:
      return "";
    case SnapshotVerdict::different:
      return head + difference_text(snapshot);
    case SnapshotVerdict::missing_first:
      return head + entry("Missing", "in A");
    case SnapshotVerdict::missing_second:
      return head + entry("Missing", "in B");
    case SnapshotVerdict::mismatch:
      return entry("Data", snapshot_name(snapshot.any())) +
             entry("Shape", fmt::format("A {}  B {}: not compared", printable(traces::shape_text(*snapshot.first)),
                                        printable(traces::shape_text(*snapshot.second))));
  }
  return "";
}

std::string tolerance_text(traces::Tolerance const& tolerance) {
  std::string text;
  auto const add = [&](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
  if (tolerance.ulps > 0) add(counted(tolerance.ulps, "ulp"));
  if (tolerance.rtol > 0) add(fmt::format("rtol {}", tolerance.rtol));
  if (tolerance.atol > 0) add(fmt::format("atol {}", tolerance.atol));
  return text.empty() ? "exact" : "tolerance " + text;
}

/// What the snapshots that agree have in common, for the last line.
std::string agreement_text(FileComparison const& comparison) {
  std::uint64_t elements = 0, accepted = 0, steps = 0, nans = 0;
  for (ComparedSnapshot const& snapshot : comparison.snapshots) {
    if (snapshot.verdict != SnapshotVerdict::same) continue;
    elements += snapshot.first->elements;
    accepted += snapshot.difference.accepted;
    steps = std::max(steps, snapshot.difference.accepted_ulps);
    nans += snapshot.difference.nans_in_both;
  }
  std::string text = counted(elements, "element");
  if (accepted > 0)
    text += fmt::format(", {} not equal but within tolerance, at most {} apart", with_commas(accepted),
                        counted(steps, "ulp"));
  if (nans > 0) text += fmt::format(", {} NaN in both", with_commas(nans));
  return text;
}

ComparedSnapshot compare_one(CheckpointFile const& first, CheckpointFile const& second, Checkpoint const& a,
                             Checkpoint const& b, traces::Tolerance const& tolerance) {
  ComparedSnapshot result{a, b, SnapshotVerdict::mismatch, {}};
  if (a.kind != b.kind || a.element_bytes != b.element_bytes || a.type != b.type || a.extents != b.extents)
    return result;
  result.difference = traces::compare_elements(a, first.load(a), second.load(b), tolerance);
  result.verdict = result.difference.differing == 0 ? SnapshotVerdict::same : SnapshotVerdict::different;
  return result;
}

nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json json_of(Checkpoint const& shape, std::optional<ElementDifference> const& element) {
  if (!element) return nullptr;
  std::vector<std::uint64_t> index(shape.extents.size());
  std::uint64_t rest = element->element;
  for (std::size_t r = index.size(); r-- > 0; rest /= shape.extents[r]) index[r] = rest % shape.extents[r];
  return {{"index", index},
          {"a", element->first},
          {"b", element->second},
          {"ulps", element->distance.ulps ? nlohmann::ordered_json(*element->distance.ulps) : nullptr},
          {"relative", number_or_null(element->distance.relative)},
          {"absolute", number_or_null(element->distance.absolute)}};
}

char const* word(SnapshotVerdict verdict) {
  switch (verdict) {
    case SnapshotVerdict::same:
      return "same";
    case SnapshotVerdict::different:
      return "different";
    case SnapshotVerdict::missing_first:
      return "missing-in-a";
    case SnapshotVerdict::missing_second:
      return "missing-in-b";
    case SnapshotVerdict::mismatch:
      return "mismatch";
  }
  return "";
}

}  // namespace

std::size_t FileComparison::differing() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      snapshots, [](ComparedSnapshot const& s) { return s.verdict != SnapshotVerdict::same; }));
}

FileComparison compare_files(std::string const& first, std::string const& second,
                             traces::Tolerance const& tolerance) {
  FileComparison result{traces::read_checkpoints(first), traces::read_checkpoints(second), tolerance, {}};
  std::map<std::pair<std::string, std::uint32_t>, Checkpoint const*> rest;
  for (Checkpoint const& entry : result.second.entries) rest[{entry.name, entry.occurrence}] = &entry;
  for (Checkpoint const& entry : result.first.entries) {
    auto const found = rest.find({entry.name, entry.occurrence});
    if (found == rest.end()) {
      result.snapshots.push_back({entry, std::nullopt, SnapshotVerdict::missing_second, {}});
      continue;
    }
    result.snapshots.push_back(compare_one(result.first, result.second, entry, *found->second, tolerance));
    rest.erase(found);
  }
  for (Checkpoint const& entry : result.second.entries)
    if (rest.contains({entry.name, entry.occurrence}))
      result.snapshots.push_back({std::nullopt, entry, SnapshotVerdict::missing_first, {}});
  if (result.snapshots.empty())
    throw traces::MalformedCheckpoint(first + " and " + second +
                                      " hold no snapshot: there is nothing to compare");
  return result;
}

std::string text_of(FileComparison const& comparison) {
  std::size_t const all = comparison.snapshots.size(), differing = comparison.differing();
  std::string const space_a = printable(comparison.first.space), space_b = printable(comparison.second.space);
  std::string const spaces = fmt::format("A {}, B {}", space_a, space_b);
  if (differing == 0)
    return fmt::format("==== teamsan: compare: {} same: {} ({}; {}) ====\n", counted(all, "snapshot"),
                       agreement_text(comparison), tolerance_text(comparison.tolerance), spaces);
  std::string text = fmt::format("==== teamsan: compare: {} of {} differ ({}) ====\n", with_commas(differing),
                                 counted(all, "snapshot"), tolerance_text(comparison.tolerance));
  text += entry("A", fmt::format("{} ({})", printable(comparison.first.path.string()), space_a));
  text += entry("B", fmt::format("{} ({})", printable(comparison.second.path.string()), space_b));
  for (ComparedSnapshot const& snapshot : comparison.snapshots)
    if (std::string const part = snapshot_text(snapshot); !part.empty()) text.append("\n").append(part);
  if (differing < all)
    text.append("\n").append(entry(
        "Same", fmt::format("{}: {}", counted(all - differing, "snapshot"), agreement_text(comparison))));
  return text;
}

std::string json_of(FileComparison const& comparison) {
  nlohmann::ordered_json snapshots = nlohmann::ordered_json::array();
  for (ComparedSnapshot const& s : comparison.snapshots) {
    Checkpoint const& shape = s.any();
    nlohmann::ordered_json one{{"name", shape.name},       {"occurrence", shape.occurrence + 1},
                               {"view", shape.label},      {"type", shape.type},
                               {"extents", shape.extents}, {"verdict", word(s.verdict)}};
    if (s.verdict == SnapshotVerdict::mismatch) {
      one["other_type"] = s.second->type;
      one["other_extents"] = s.second->extents;
    }
    if (s.verdict == SnapshotVerdict::same || s.verdict == SnapshotVerdict::different) {
      one["elements"] = shape.elements;
      one["differing"] = s.difference.differing;
      one["within_tolerance"] = s.difference.accepted;
      one["most_ulps_within_tolerance"] = s.difference.accepted_ulps;
      one["nan_in_both"] = s.difference.nans_in_both;
      one["nan_in_one"] = s.difference.one_sided_nans;
      one["first"] = json_of(shape, s.difference.first);
      one["worst"] = json_of(shape, s.difference.worst);
      one["largest"] = json_of(shape, s.difference.largest);
    }
    snapshots.push_back(std::move(one));
  }
  nlohmann::ordered_json const report{
      {"format", "teamsan-compare"},
      {"version", 1},
      {"a", {{"file", comparison.first.path.string()}, {"space", comparison.first.space}}},
      {"b", {{"file", comparison.second.path.string()}, {"space", comparison.second.space}}},
      {"tolerance",
       {{"ulps", comparison.tolerance.ulps},
        {"rtol", comparison.tolerance.rtol},
        {"atol", comparison.tolerance.atol}}},
      {"differing", comparison.differing()},
      {"snapshots", std::move(snapshots)}};
  return report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace teamsan::cli
