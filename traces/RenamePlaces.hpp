// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A copy of a trace in which source files, the program and its directory lie elsewhere: for traces that go to others.
#pragma once

#include <string>

namespace teamsan::traces {

/// Every path that begins with `from` begins with `to` then. Returns what TraceReader::damage() says of the trace; what
/// could be read is copied. Throws TraceError.
std::string rename_places(std::string const& file, std::string const& from, std::string const& to,
                          std::string const& output);

}  // namespace teamsan::traces
