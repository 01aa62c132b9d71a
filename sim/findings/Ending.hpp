// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How a checked program comes to its end: what every room may ask for. The room `process`, which knows the reports and the
/// signals, does it.
#pragma once

#include "Finding.hpp"

namespace teamsan {

/// Writes the reports, once: later calls only give the status. Callable on a lane's stack and in a signal
/// handler: the work is done on a thread of its own, and a watchdog ends the process if it hangs. `crashed`:
/// the program ends by a signal or an exception. Returns the status the process must end with
/// (ExitStatus.hpp), or 0: the program's own.
int finish_report(bool crashed) noexcept;

/// Is the report being written, or written? Then nothing that is found ends the program once more.
bool is_ending() noexcept;

/// --halt-on-error: does the program end at this finding? Not at what is suppressed, or cannot be judged.
bool ends_the_program(Finding const& finding);

/// Is it an error that a report tells, and no suppression leaves out?
bool is_told_as_error(Finding const& finding);

/// The finding's id, as far as it is known before the end: of findings alike in all that an id is made of, the first one's.
std::string id_of(Finding const& finding);

/// Ends the process at once, as _exit does, whatever stands in for that.
[[noreturn]] void leave_process(int status) noexcept;

/// finish_report, then flushes what the program has buffered and ends the process at once with that status,
/// or with `otherwise` when there is no finding. For fatal signals after their finding was reported, and replays.
[[noreturn]] void end_program(bool crashed, int otherwise) noexcept;

/// The same for --halt-on-error, which ends the program before its end.
[[noreturn]] void halt_program(int otherwise) noexcept;

/// Makes the end-of-program handler part of the program. The runtime calls it once before main; a second call
/// does nothing. (Also keeps this file's object from being dropped out of a static library at link time.)
void install_exit() noexcept;

}  // namespace teamsan
