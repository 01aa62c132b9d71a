// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A file .teamsan with options that a project's checked programs always run with: "key=value", one or several a line, as in
/// TEAMSAN_OPTIONS; # begins a comment. It lies beside the program, or at the top of the git tree that it is started in.
#pragma once

#include <optional>
#include <string>

namespace teamsan {

struct ConfigFile {
  std::string path;
  std::string text;  ///< without comments
};

/// The one beside the program, or else that at the top of the tree; none if there is none, or if it is not to be trusted: the
/// program has more rights than who started it, or the file is somebody else's, both of which a sentence on standard error
/// says.
std::optional<ConfigFile> find_config();

}  // namespace teamsan
