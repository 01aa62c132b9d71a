// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A trace as Perfetto (ui.perfetto.dev) and chrome://tracing read it, in the JSON form: a launch is a process, each warp
/// of a team a thread, a barrier interval a slice, the worst bank conflict of an interval a counter, a race an arrow from
/// one side's interval to the other's; both intervals and the arrow name the finding's id, file and line. A microsecond
/// stands for a step of a lane: there is no time in a simulated GPU.
#pragma once

#include "../model/device/Device.hpp"
#include "TraceWalk.hpp"

#include <ostream>
#include <string>

namespace teamsan::traces {

/// Reads the trace twice. Returns what walk() does.
std::string write_perfetto(std::string const& file, TraceFilter const& filter, model::Device const& device,
                           std::ostream& output);

}  // namespace teamsan::traces
