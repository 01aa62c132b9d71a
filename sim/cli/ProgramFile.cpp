// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProgramFile.hpp"

#include "Commands.hpp"

#include "../places/ObjectSymbols.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace teamsan::cli {
namespace {

namespace fs = std::filesystem;

bool is_runnable(fs::path const& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string find_program(std::string const& name) {
  if (name.find('/') == std::string::npos) {
    char const* variable = std::getenv("PATH");
    std::string_view folders = variable == nullptr ? "" : variable;
    while (!folders.empty()) {
      std::size_t const end = std::min(folders.find(':'), folders.size());
      fs::path const candidate = fs::path(folders.substr(0, end)) / name;
      if (is_runnable(candidate)) return candidate.string();
      folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    std::error_code ignored;
    throw UsageError(
        fs::exists(name, ignored)
            ? fmt::format("no program \"{0}\" in PATH; for the one in this folder write ./{0}", name)
            : fmt::format("no program \"{}\" in PATH", name));
  }
  std::error_code ignored;
  if (!fs::exists(name, ignored)) throw UsageError(fmt::format("there is no program {}", name));
  if (fs::is_directory(name, ignored)) throw UsageError(fmt::format("{} is a folder, not a program", name));
  if (!is_runnable(name)) throw UsageError(fmt::format("{0} is not executable: chmod +x {0}", name));
  return name;
}

void require_instrumented(std::string const& path) {
  if (::access(path.c_str(), R_OK) != 0) throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  ObjectSymbols const found = object_symbols(path);
  if (!found.is_elf)
    throw UsageError(
        fmt::format("{} is a script, not a program: start the script itself with TEAMSAN_OPTIONS set, or "
                    "give teamsan the program "
                    "that it starts",
                    path));
  if (!found.has_runtime)
    throw UsageError(fmt::format(
        "{} is not instrumented: build it with teamsan_add_checked(app) in CMake and run app_teamsan", path));
}

}  // namespace teamsan::cli
