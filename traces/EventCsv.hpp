// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A trace for spreadsheets: comma-separated values.
#pragma once

#include "TraceWalk.hpp"

#include <ostream>
#include <string>

namespace teamsan::traces {

/// One line an access: launch, kernel, team, lane, interval, what, bytes, space, offset, View, place in the source.
/// Returns what walk() does.
std::string write_csv(std::string const& file, TraceFilter const& filter, std::ostream& output);

}  // namespace teamsan::traces
