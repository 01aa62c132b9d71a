// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where `teamsan` is, for command lines that can be pasted: as it was called, if it started the program; else the one of the
/// build that this runtime is of, or where that is installed, if either is there.
#include <teamsan/sim/places/Program.hpp>

#include <unistd.h>

#include <cstdlib>

namespace teamsan {

std::string Program::launcher() {
  if (char const* const called = ::secure_getenv("TEAMSAN_LAUNCHER"); called != nullptr) return called;
  for (char const* const file : {TEAMSAN_BUILT_LAUNCHER, TEAMSAN_INSTALLED_LAUNCHER}) {
    if (::access(file, X_OK) != 0) continue;
    std::string path = file;
    if (!directory().empty() && path.starts_with(directory())) path.erase(0, directory().size());
    return path.find('/') == path.npos ? "./" + path : path;
  }
  return {};
}

}  // namespace teamsan
