/// The end of a checked program: writes every report once and decides the exit status. Installed before main,
/// so that it runs after the program's own handlers and destructors; sees return from main, exit, quick_exit.
/// Signals, abort and std::terminate come through the runtime's signal handlers, which call
/// finish_report(true); _exit and the exec functions through runtime/Leaving.cpp. It cannot see SIGKILL: for this, each
/// report file says from the start that its program ended before it was written.
#pragma once

#include <teamsan/sim/report/Report.hpp>

#include <functional>
#include <string>
#include <vector>

namespace teamsan {

/// Writes the reports, once: later calls only give the status. Callable on a lane's stack and in a signal
/// handler: the work is done on a thread of its own, and a watchdog ends the process if it hangs. `crashed`:
/// the program ends by a signal or an exception. Returns the status the process must end with
/// (ExitStatus.hpp), or 0: the program's own.
int finish_report(bool crashed) noexcept;

/// The same for a program that leaves without the C library's exit: what it has buffered stays unwritten. `replaced`: by
/// another program, if that can be; otherwise take_back_report() lets a later end write again.
int finish_report_of_leaver(bool replaced) noexcept;
void take_back_report() noexcept;

/// Is the report being written, or written? Then nothing that is found ends the program once more.
bool is_ending() noexcept;

/// Called before the process is ended from any thread: does not return where another one is about to end it.
void set_exit_gate(void (*gate)()) noexcept;

/// Ends the process at once, as _exit does, whatever stands in for that.
[[noreturn]] void leave_process(int status) noexcept;

/// Writes a report as the options say: what is suppressed is left out. Returns the status to end with, or 0.
int write_reports(Report report);

/// Instead of being written, the report of this process goes to `taker`, which gives the status to end with, or 0. For
/// commands that replay.
void give_report_to(std::function<int(Report)> taker);

/// finish_report, then flushes what the program has buffered and ends the process at once with that status,
/// or with `otherwise` when there is no finding. For fatal signals after their finding was reported, and replays.
[[noreturn]] void end_program(bool crashed, int otherwise) noexcept;

/// The same for --halt-on-error, which ends the program before its end.
[[noreturn]] void halt_program(int otherwise) noexcept;

/// Ends the process with a sentence if its report is not written within a minute. Callable in a signal handler.
void arm_watchdog() noexcept;

/// The report of a crash has crashed itself: ends the process with a sentence. Callable in a signal handler.
[[noreturn]] void give_up_report() noexcept;

/// argv of the program; empty: unknown.
std::vector<std::string> program_arguments();

/// Makes the end-of-program handler part of the program. The runtime calls it once before main; a second call
/// does nothing. (Also keeps this file's object from being dropped out of a static library at link time.)
void install_exit() noexcept;

/// Writes into each report file that can be written now that its program ended before it was written.
void announce_reports() noexcept;

/// The program makes way for another one before it has run a kernel: says so there instead.
void announce_replacement() noexcept;

}  // namespace teamsan
