// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The end of a checked program: writes every report once and decides the exit status. Installed before main,
/// so that it runs after the program's own handlers and destructors; sees return from main, exit, quick_exit.
/// Signals, abort and std::terminate come through the runtime's signal handlers, which call
/// finish_report(true); _exit and the exec functions through process/Leaving.cpp. It cannot see SIGKILL: for this, each
/// report file says from the start that its program ended before it was written.
#pragma once

#include "../findings/Ending.hpp"
#include "../report/Report.hpp"

#include <functional>
#include <string>
#include <vector>

namespace teamsan {

/// finish_report for a program that leaves without the C library's exit: what it has buffered stays unwritten. `replaced`: by
/// another program, if that can be; otherwise take_back_report() lets a later end write again.
int finish_report_of_leaver(bool replaced) noexcept;
void take_back_report() noexcept;

/// Called before the process is ended from any thread: does not return where another one is about to end it.
void set_exit_gate(void (*gate)()) noexcept;

/// Writes a report as the options say: what is suppressed is left out. Returns the status to end with, or 0.
int write_reports(Report report);

/// How the text is to look.
struct TextStyle text_style(struct Options const& chosen);

/// Instead of being written, the report of this process goes to `taker`, which gives the status to end with, or 0. For
/// commands that replay.
void give_report_to(std::function<int(Report)> taker);

/// The report of a crash has crashed itself: ends the process with a sentence. Callable in a signal handler.
[[noreturn]] void give_up_report() noexcept;

/// Writes into each report file that can be written now that its program ended before it was written.
void announce_reports() noexcept;

/// The program makes way for another one before it has run a kernel: says so there instead.
void announce_replacement() noexcept;

}  // namespace teamsan
