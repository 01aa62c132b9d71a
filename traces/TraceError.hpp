// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A trace that cannot be read or written.
#pragma once

#include <stdexcept>
#include <string>

namespace teamsan::traces {

/// what() is one sentence that names the file and says what is wrong; or, of what stands in a file, only that.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The file asks for more than TraceLimits allow.
struct TraceLimitError : TraceError {
  using TraceError::TraceError;
};

/// The sentence for what was met while the file was read.
inline std::string damage_of(std::string const& file, std::exception const& error) {
  bool const limit = dynamic_cast<TraceLimitError const*>(&error) != nullptr;
  return "the trace \"" + file + (limit ? "\" " : "\" is damaged: ") + error.what();
}

}  // namespace teamsan::traces
