// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace property::bytes {
namespace {

std::string line_of(Found const& f) {
  std::string line = fmt::format("{} {} {} {} {}", static_cast<int>(f.rule), f.kernel, f.array, f.offset, f.sides.size());
  for (FoundSide const& s : f.sides) line += fmt::format(" {} {} {} {}", s.slot, static_cast<int>(s.kind), s.team, s.lane);
  return line;
}

bool is_atomic(FoundSide const& side) {
  return side.kind == teamsan::AccessKind::atomic_read || side.kind == teamsan::AccessKind::atomic_write;
}

/// The lines of a race, whatever its name, word and lanes, and whether an atomic replaced something.
std::string race_of(Found const& f) {
  std::vector<std::string> sides;
  for (FoundSide const& s : f.sides) {
    char const* const kind = is_atomic(s) ? "atomic" : s.kind == teamsan::AccessKind::write ? "write" : "read";
    sides.push_back(fmt::format("; {} {}", s.slot, kind));
  }
  std::sort(sides.begin(), sides.end());
  std::string race = fmt::format("race {} {}", f.kernel, f.array);
  for (std::string const& side : sides) race += side;
  return race;
}

/// Does it hang on which team came first how often it is told, and of what? See alike.
bool hangs_on_team_order(Found const& f) {
  auto const loads = [](FoundSide const& side) { return side.kind == teamsan::AccessKind::atomic_read; };
  return f.rule == teamsan::Rule::unfenced_handover ||
         (f.rule == teamsan::Rule::global_race && std::any_of(f.sides.begin(), f.sides.end(), loads));
}

}  // namespace

Record read_record(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  Record record;
  std::uint64_t seed = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string first;
    in >> first;
    if (first == "case") {
      in >> seed;
      record[seed];
      continue;
    }
    Found f;
    std::size_t sides = 0;
    f.rule = static_cast<teamsan::Rule>(std::stoi(first));
    in >> f.kernel >> f.array >> f.offset >> sides;
    for (; sides != 0; --sides) {
      FoundSide s;
      int kind = 0;
      in >> s.slot >> kind >> s.team >> s.lane;
      s.kind = static_cast<teamsan::AccessKind>(kind);
      f.sides.push_back(s);
    }
    if (!in) throw std::runtime_error(path + ": not a record of findings: " + line);
    record[seed].push_back(std::move(f));
  }
  return record;
}

void write_record(std::string const& path, Record const& record) {
  std::ofstream file(path);
  for (auto const& [seed, found] : record) {
    file << "case " << seed << '\n';
    for (Found const& f : found) file << line_of(f) << '\n';
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

bool alike(std::vector<Found> const& a, std::vector<Found> const& b) {
  std::set<std::string> by_lines;
  for (std::vector<Found> const* const found : {&a, &b})
    for (Found const& f : *found)
      if (hangs_on_team_order(f)) by_lines.insert(race_of(f));
  auto const lines = [&](std::vector<Found> const& found) {
    std::vector<std::string> all;
    std::set<std::string> races;
    for (Found const& f : found) {
      bool const race = f.rule == teamsan::Rule::global_race || f.rule == teamsan::Rule::unfenced_handover;
      if (std::string const race_alone = race_of(f); race && by_lines.contains(race_alone))
        races.insert(race_alone);
      else
        all.push_back(line_of(f));
    }
    all.insert(all.end(), races.begin(), races.end());
    std::sort(all.begin(), all.end());
    return all;
  };
  return lines(a) == lines(b);
}

}  // namespace property::bytes
