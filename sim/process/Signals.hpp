// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Signals: the report is written before the program ends by one. Those of a crash are told in FatalSignals.hpp.
#pragma once

namespace teamsan {

/// Handlers for fatal signals (FatalSignals.hpp), and for those that end a program which does not expect
/// them (SIGINT, SIGTERM, SIGHUP, ...; docs/ci.md) and that are at their default. Once, at start.
void install_signal_handlers();

/// The thread that ends the program when such a signal comes: begun by install_signal_handlers, and once more in a process that
/// fork made, which has no other thread.
void install_ending_thread();

}  // namespace teamsan
