// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace property::bytes {
namespace {

std::string line_of(Found const& f) {
  std::string line = fmt::format("{} {} {} {} {}", static_cast<int>(f.rule), f.kernel, f.array, f.offset, f.sides.size());
  for (FoundSide const& s : f.sides) line += fmt::format(" {} {} {} {}", s.slot, static_cast<int>(s.kind), s.team, s.lane);
  return line;
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
  auto const lines = [](std::vector<Found> const& found) {
    std::vector<std::string> all;
    for (Found const& f : found) all.push_back(line_of(f));
    std::sort(all.begin(), all.end());
    return all;
  };
  return lines(a) == lines(b);
}

}  // namespace property::bytes
