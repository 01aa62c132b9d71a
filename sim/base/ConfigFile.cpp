// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConfigFile.hpp"

#include <fmt/format.h>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace teamsan {
namespace {

namespace fs = std::filesystem;

constexpr char const* name = ".teamsan";

/// Nobody needs more, and nobody is made to read more.
constexpr std::uintmax_t most_bytes = 1 << 16;

/// Empty: there is none.
fs::path top_of_tree() {
  std::error_code error;
  for (fs::path folder = fs::current_path(error); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder;
    if (folder == folder.parent_path()) break;
  }
  return {};
}

void say(fs::path const& file, std::string_view why) {
  std::fputs(fmt::format("teamsan: {} is ignored: {}\n", file.string(), why).c_str(), stderr);
}

std::string without_comments(std::ifstream& stream) {
  std::string text;
  for (std::string line; std::getline(stream, line);) text += line.substr(0, line.find('#')) + '\n';
  return text;
}

}  // namespace

std::optional<ConfigFile> find_config() {
  std::error_code error;
  fs::path const program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path const& folder : {program.parent_path(), top_of_tree()}) {
    if (folder.empty()) continue;
    fs::path const file = folder / name;
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) continue;
    std::string_view why;
    if (::getauxval(AT_SECURE) != 0)
      why = "this program has more rights than who started it (set-user-ID, set-group-ID or capabilities)";
    else if (facts.st_uid != ::geteuid())
      why = "it belongs to somebody else";
    else if (static_cast<std::uintmax_t>(facts.st_size) > most_bytes)
      why = "it is larger than 64 KiB";
    if (!why.empty()) {
      say(file, why);
      return std::nullopt;
    }
    std::ifstream stream(file);
    if (!stream) {
      say(file, "it cannot be read");
      return std::nullopt;
    }
    return ConfigFile{file.string(), without_comments(stream)};
  }
  return std::nullopt;
}

}  // namespace teamsan
