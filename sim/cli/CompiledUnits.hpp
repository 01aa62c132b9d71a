// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program's debug information says of how each of its sources was compiled. GCC writes the options down, Clang does
/// only where asked to; a source without debug information is not seen.
#pragma once

#include <string>
#include <vector>

namespace teamsan::cli {

struct CompiledUnit {
  std::string source;    ///< as the compiler was given it, made absolute where its directory is known
  std::string compiler;  ///< "GNU C++20 12.2.0", "Debian clang version 14.0.6"
  std::string optimisation;  ///< "-O2"; empty: not written down
  bool options_known = false;
  bool instrumented = false;  ///< as far as options are known
  bool has_plugin = false;    ///< compiled with TeamSan's plug-in, as far as they are
  bool has_lines = false;
};

std::vector<CompiledUnit> compiled_units(std::string const& path);

}  // namespace teamsan::cli
