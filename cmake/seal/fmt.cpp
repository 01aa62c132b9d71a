// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// {fmt}'s own functions, compiled from its headers into what is sealed (seal.cmake): those that fmt::format stands on, which
/// its shared library has otherwise. Compiled without inlining, so that each is a function of its own.
#define FMT_HEADER_ONLY
#include <fmt/format.h>

#include <string>

namespace teamsan::sealed {

/// Never called: what it names is compiled.
[[gnu::used]] std::string all_of_fmt(fmt::string_view format, fmt::format_args arguments) {
  return fmt::vformat(format, arguments);
}

}  // namespace teamsan::sealed
