// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where `teamsan` is, for command lines that can be pasted: as it was called, if it started the program; else that of the
/// installed TeamSan whose headers the program was compiled with (backends/simt/Origin.hpp); else the one of the build that
/// this runtime is of, or where that is installed, if either is there.
#include "Program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

extern "C" [[gnu::weak]] char const* const __teamsan_headers;

namespace teamsan {
namespace {

/// The folder that TeamSan is installed in, with a slash at its end; empty: it is not, or nobody knows.
std::string installed_in() {
  char const* const* const headers = &__teamsan_headers;
  if (headers == nullptr) return {};
  std::error_code error;
  std::string const path = std::filesystem::weakly_canonical(*headers, error).string();
  std::size_t const end = path.rfind("/include/teamsan/backends/simt/");
  return error || end == path.npos ? "" : path.substr(0, end + 1);
}

}  // namespace

std::string Program::launcher() {
  if (char const* const called = ::secure_getenv("TEAMSAN_LAUNCHER"); called != nullptr) return called;
  std::vector<std::string> files{TEAMSAN_BUILT_LAUNCHER, TEAMSAN_INSTALLED_LAUNCHER};
  if (std::string const folder = installed_in(); !folder.empty()) files = {folder + "bin/teamsan", TEAMSAN_INSTALLED_LAUNCHER};
  for (std::string path : files) {
    if (::access(path.c_str(), X_OK) != 0) continue;
    if (!directory().empty() && path.starts_with(directory())) path.erase(0, directory().size());
    return path.find('/') == path.npos ? "./" + path : path;
  }
  return {};
}

}  // namespace teamsan
