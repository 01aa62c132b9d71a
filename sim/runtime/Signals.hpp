/// Fatal signals: raised by a lane they become a finding; in any case the report is written before the program ends.
#pragma once

namespace teamsan {

/// Handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, and for those signals that end a program which does not expect
/// them (SIGINT, SIGTERM, SIGHUP, ...; docs/ci.md) and that are at their default. Once, at start.
void install_signal_handlers();

/// The thread that ends the program when such a signal comes: begun by install_signal_handlers, and once more in a process that
/// fork made, which has no other thread.
void install_ending_thread();

/// An alternate stack for the calling thread, so that a lane's stack overflow can be told.
void install_signal_stack();

}  // namespace teamsan
