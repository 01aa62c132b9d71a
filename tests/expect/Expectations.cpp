// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Expectations.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace teamsan::test {

namespace {

std::vector<std::string> words(std::string const& text) {
  static std::regex const separators("[\\s,]+");
  std::vector<std::string> result;
  for (std::sregex_token_iterator word(text.begin(), text.end(), separators, -1), end; word != end; ++word) {
    if (word->length() > 0) result.push_back(*word);
  }
  return result;
}

std::string file_name(std::string const& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace

bool Found::names(Expected const& expected) const {
  if (rule != expected.rule) return false;
  if (expected.file.empty()) return true;
  std::string const place = expected.file + ":" + std::to_string(expected.line);
  return file_name(places[0]) == place || file_name(places[1]) == place;
}

void read_expectations(std::string const& source, Expectations& expectations) {
  std::ifstream stream(source);
  if (!stream) throw std::runtime_error("cannot read " + source);
  static std::regex const directive("// (EXPECT|ALLOW|OPTIONS|ARGUMENTS)([A-Z-]*)(: *(.*))?$");
  bool none = false, any = false;
  int line = 0;
  for (std::string text; std::getline(stream, text);) {
    ++line;
    std::smatch match;
    if (!std::regex_search(text, match, directive)) continue;
    std::string const name = match[1].str() + match[2].str(), value = match[4];
    if (name == "EXPECT-NONE") {
      none = true;
    } else if (value.empty()) {
      throw std::runtime_error(source + ":" + std::to_string(line) + ": " + name + " names nothing");
    } else if (name == "EXPECT" || name == "EXPECT-ANYWHERE" || name == "ALLOW") {
      bool const anywhere = name == "EXPECT-ANYWHERE", needed = name != "ALLOW";
      for (std::string rule : words(value)) {
        bool const may_lack = rule.ends_with('?');
        if (may_lack) rule.pop_back();
        expectations.findings.push_back({rule, anywhere ? "" : file_name(source), line, needed && !may_lack});
      }
      any = any || needed;
    } else if (name == "EXPECT-EXIT") {
      expectations.exit_status = std::stoi(value);
      any = true;
    } else if (name == "EXPECT-OUTPUT") {
      expectations.outputs.push_back(value);
    } else if (name == "OPTIONS") {
      expectations.options.push_back(value);
    } else if (name == "ARGUMENTS") {
      for (auto const& word : words(value)) expectations.arguments.push_back(word);
    } else {
      throw std::runtime_error(source + ":" + std::to_string(line) + ": unknown directive " + name);
    }
  }
  if (none == any) {
    throw std::runtime_error(source + (none ? " says EXPECT-NONE and expects something all the same"
                                            : " says neither what to EXPECT nor EXPECT-NONE"));
  }
}

void read_ids(std::string const& text, Expectations& expectations) {
  std::size_t const equals = text.find('=');
  if (equals == std::string::npos) throw std::runtime_error("--ids takes CASE=FILE, not " + text);
  std::string const name = text.substr(0, equals), file = text.substr(equals + 1);
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    auto const parts = words(line);
    if (parts.empty() || parts[0] != name) continue;
    expectations.ids.assign(parts.begin() + 1, parts.end());
    return;
  }
  throw std::runtime_error("no line of " + file + " is about " + name);
}

Expected parse_expected(std::string const& text) {
  static std::regex const form("([a-z-]+)(=(.+):([0-9]+))?");
  std::smatch match;
  if (!std::regex_match(text, match, form)) {
    throw std::runtime_error("--finding takes RULE or RULE=FILE:LINE, not " + text);
  }
  return {match[1], match[3], match[4].length() ? std::stoi(match[4]) : 0, true};
}

Found parse_found(std::string const& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  if (fields.size() < 7) throw std::runtime_error("the report has a line of another format: " + line);
  return {fields[0], fields[1], {fields[2], fields[3]}, fields[6], line};
}

std::vector<std::string> compare(Expectations const& expectations, std::vector<Found> const& found) {
  std::vector<std::string> wrong;
  for (auto const& finding : found) {
    bool expected = false;
    for (auto const& each : expectations.findings) expected = expected || finding.names(each);
    if (!expected) wrong.push_back("nobody expected: " + finding.text);
  }
  for (auto const& id : expectations.ids) {
    bool seen = false;
    for (auto const& finding : found) seen = seen || finding.id == id;
    if (!seen) wrong.push_back("no finding has the id " + id);
  }
  for (auto const& each : expectations.findings) {
    bool seen = !each.needed;
    for (auto const& finding : found) seen = seen || finding.names(each);
    if (!seen) {
      wrong.push_back("not found: " + each.rule +
                      (each.file.empty() ? "" : " at " + each.file + ":" + std::to_string(each.line)));
    }
  }
  return wrong;
}

}  // namespace teamsan::test
