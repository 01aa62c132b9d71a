// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads each file whole at its first use.
#include "SourceFile.hpp"

#include "../base/PatientMutex.hpp"
#include "Program.hpp"
#include "../../traces/InputFile.hpp"

#include <cctype>
#include <filesystem>
#include <mutex>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <vector>

namespace teamsan {
namespace {

constexpr std::size_t tab_stop = 4;

std::string expand_tabs(std::string_view text) {
  std::string result;
  if (text.find_first_of("\t\r") == text.npos) {
    result = text;
    text = {};
  }
  for (char const c : text) {
    if (c == '\t')
      result.append(tab_stop - result.size() % tab_stop, ' ');
    else if (c != '\r')
      result += c;
  }
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

constexpr std::uint64_t most_bytes = 16 << 20;

using Directories = std::vector<std::filesystem::path>;

/// No value: sources lie wherever the program says.
std::optional<Directories>& directories() {
  static auto& allowed = *new std::optional<Directories>;
  return allowed;
}

/// The file without symbolic links; empty: there is none, or it leads out of the directory.
std::filesystem::path file_in(std::filesystem::path const& directory, std::filesystem::path const& file) {
  std::error_code error;
  std::filesystem::path const real = std::filesystem::canonical(file, error);
  if (error) return {};
  auto const [end, at] = std::mismatch(directory.begin(), directory.end(), real.begin(), real.end());
  return end == directory.end() ? real : std::filesystem::path();
}

/// The file that the path means in one of the directories.
std::filesystem::path allowed_file(Directories const& allowed, std::filesystem::path const& path) {
  for (std::filesystem::path const& directory : allowed) {
    if (path.is_absolute())
      if (std::filesystem::path found = file_in(directory, path); !found.empty()) return found;
    for (auto first = path.begin(); first != path.end(); ++first) {
      if (*first == "/" || *first == "..") continue;
      std::filesystem::path candidate = directory;
      for (auto part = first; part != path.end(); ++part) candidate /= *part;
      if (std::filesystem::path found = file_in(directory, candidate); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> Program::source(std::string const& path) {
  std::vector<std::string> lines;
  std::string const file = directories() ? allowed_file(*directories(), path).string() : path;
  if (file.empty()) return lines;
  try {
    std::istringstream stream(traces::read_text_file(file, most_bytes));
    for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  } catch (traces::InputError const&) {  // as promised
  }
  return lines;
}

namespace {

/// As they stand in the file. The reference stays valid for the life of the program.
std::vector<std::string> const& cached_lines(std::string const& path) {
  static PatientMutex& mutex = *new PatientMutex;
  static auto& files = *new std::unordered_map<std::string, std::vector<std::string>>;
  std::lock_guard const lock(mutex);
  auto it = files.find(path);
  if (it == files.end()) it = files.emplace(path, program().source(path)).first;
  return it->second;
}

}  // namespace

void read_sources_only_in(std::vector<std::string> const& names) {
  Directories& allowed = directories().emplace();
  for (std::string const& name : names) {
    std::error_code error;
    std::filesystem::path const real = std::filesystem::canonical(name, error);
    if (!error) allowed.push_back(real);
  }
}

bool may_read_sources() { return !directories() || !directories()->empty(); }

std::vector<std::string> const& raw_source_lines(std::string const& path) { return cached_lines(path); }

namespace {

/// Where a `//` comment starts, outside of string and character literals.
std::size_t comment_start(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (quote != 0) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == quote)
        quote = 0;
    } else if (line[i] == '"' || line[i] == '\'') {
      quote = line[i];
    } else if (line[i] == '/' && line[i + 1] == '/') {
      return i;
    }
  }
  return line.size();
}

std::string const& raw_line(std::string const& path, unsigned line) {
  static std::string const& nothing = *new std::string;
  if (path.empty() || line == 0) return nothing;
  std::vector<std::string> const& lines = cached_lines(path);
  return line <= lines.size() ? lines[line - 1] : nothing;
}

}  // namespace

std::string source_line(std::string const& path, unsigned line) { return expand_tabs(raw_line(path, line)); }

std::vector<std::string> source_lines(std::string const& path) {
  if (path.empty()) return {};
  std::vector<std::string> lines = cached_lines(path);
  for (std::string& line : lines) line = expand_tabs(line);
  return lines;
}

bool is_plain_assignment(std::string const& path, unsigned line, unsigned column) {
  std::string const& text = raw_line(path, line);
  if (column == 0 || column > text.size() || text[column - 1] != '=') return false;
  bool const compares = column < text.size() && text[column] == '=';
  return !compares && (column == 1 || std::string_view("=!<>+-*/%&|^").find(text[column - 2]) == std::string_view::npos);
}

std::string normalised_source(std::string_view line) {
  std::string result;
  for (char const c : line.substr(0, comment_start(line))) {
    if (!std::isspace(static_cast<unsigned char>(c)))
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

}  // namespace teamsan
