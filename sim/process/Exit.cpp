// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides from the collector and the options what is written at the end and with which status the process
/// ends. An error that was found sets the status whatever the program's own was; a report that could not be
/// written comes before that.
#include "Exit.hpp"

#include "../base/BigStack.hpp"
#include "../base/ExitStatus.hpp"
#include "../base/Options.hpp"
#include "../base/ReportFile.hpp"
#include "../base/ReportMemory.hpp"
#include "../findings/Collector.hpp"
#include "../findings/TextLayout.hpp"
#include "../host/NothingSelected.hpp"
#include "../host/Leaks.hpp"
#include "../host/Outputs.hpp"
#include "../machine/Interrupt.hpp"
#include "../memory/Hot.hpp"
#include "../places/Program.hpp"
#include "../places/Symbolizer.hpp"
#include "FinishedReport.hpp"
#include "Processes.hpp"
#include "Progress.hpp"
#include "ReportFacts.hpp"
#include "Stream.hpp"
#include "Watchdog.hpp"
#include "../report/SourceRoot.hpp"
#include "../report/Suppressions.hpp"
#include "../report/TextReport.hpp"
#include "../report/WordLives.hpp"
#include "../report/Writers.hpp"
#include "../trace/Recorder.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace teamsan {
namespace {

/// How the program ends: through exit, by --halt-on-error, by _exit, in favour of another program, by a signal or an exception.
enum class Ending { orderly, halted, left, replaced, crashed };

enum class Progress { not_begun, writing, done };
std::atomic<Progress> g_progress{Progress::not_begun};
std::atomic<int> g_status{
    exit_tool_failure};             ///< valid once done; until then, what a failure in between means
std::atomic<pthread_t> g_writer{};  ///< while writing
std::atomic<bool> g_again{false};   ///< after a crash of the writer
std::atomic<bool> g_installed{false};
std::atomic<void (*)()> g_gate{nullptr};
std::function<int(Report)>* g_taker = nullptr;  ///< never destroyed

/// A process that a checked one made and that launched nothing has nothing to say.
bool is_silent(Report const& report) {
  return process_is_forked() && report.program.launches == 0 && report.findings.empty() && children_at_work().empty();
}

Report make_report(Ending ending) {
  std::string running;
  try {
    running = report_running_launch(ending == Ending::crashed);
  } catch (std::exception const& error) {  // the launches before it are told all the same
    Collector::instance().note(fmt::format("the running launch could not be told of: {}", error.what()));
  }
  detect::report_leaks(process_is_forked()          ? detect::ProgramEnd::of_child
                       : ending == Ending::orderly ? detect::ProgramEnd::own
                                                   : detect::ProgramEnd::early);
  Report report = finished_report(Collector::instance());
  add_facts(report.program, options());
  report.program.crashed = ending == Ending::crashed || !running.empty();
  report.program.finished = !report.program.crashed && ending != Ending::halted;
  auto& notes = report.program.notes;
  if (!running.empty())
    notes.push_back(fmt::format("kernel \"{}\" did not reach its end: what its teams had found until then is told", running));
  if (ending == Ending::replaced) notes.push_back("the program was replaced by another one (exec)");
  for (ChildProcess const& child : children_at_work()) notes.push_back(to_string(child));
  name_unchecked_libraries(report.program);
  if (std::string note = note_on_config(options()); !note.empty()) notes.push_back(std::move(note));
  if (std::string nothing = nothing_selected(); !nothing.empty() && report.program.finished && !process_is_forked()) {
    notes.push_back(std::move(nothing));
    report.program.judged = expanded_file_name("%r") != "0";  // of MPI's ranks one alone may have such a kernel
  }
  if (!options().any_enabled() && report.program.launches != 0)
    notes.push_back("no rule is on (check=none): the launches ran, and nothing was checked");
  return report;
}

/// The page draws them.
bool wants_lives(Options const& chosen) {
  auto const targets = report_targets(chosen.report);
  return std::any_of(targets.begin(), targets.end(), [](ReportTarget const& t) { return t.writer->format == "html"; });
}

/// Nobody asked, and there is nothing to tell: a configure test, say, whose output a build system reads.
bool has_nothing_to_say(Report const& report) {
  ProgramFacts const& program = report.program;
  return ::getenv("TEAMSAN_OPTIONS") == nullptr && options().report.empty() && options().log_file.empty() &&
         !program.started && !program.crashed && program.launches == 0 && program.notes.empty() && report.findings.empty();
}

int write_everything(Ending ending) {
  if (ending != Ending::crashed) finish_outputs();
  Report report = make_report(ending);
  bool const traced = trace::finish_recording(ending == Ending::crashed);
  if (is_silent(report) || has_nothing_to_say(report)) return 0;
  if (wants_lives(options())) add_lives(report.findings, from_start_directory(trace::file()));
  if (g_taker != nullptr) return (*g_taker)(std::move(report));
  bool const over_limit = report.program.over_limit;
  int const status = write_reports(std::move(report));
  if (over_limit) return exit_tool_failure;
  if (status == 0 && !program().is_whole()) return exit_tool_failure;  // what is missing might hold an error
  return traced ? status : exit_tool_failure;
}

/// What the program has printed stays its output. After a crash nobody waits for a lock: the thread that crashed
/// may hold it.
void flush_crashed_output() {
  for (std::FILE* const stream : {stdout, stderr}) {
    if (::ftrylockfile(stream) != 0) continue;
    ::fflush_unlocked(stream);
    ::funlockfile(stream);
  }
}

void flush_program_output() {
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
}

void pass_gate() noexcept {
  if (auto const gate = g_gate.load()) gate();
}

int status_at_exit() {
  pass_gate();
  int const status = finish_report(false);
  pass_gate();
  if (status != 0) flush_program_output();
  return status;
}

/// exit in an exit handler goes on with those that are left, and with destructors of libraries, and ends with its status.
extern "C" void teamsan_at_exit(int, void*) {
  if (int const status = status_at_exit(); status != 0) ::exit(status);
}

extern "C" void teamsan_at_quick_exit() {
  if (int const status = status_at_exit(); status != 0) leave_process(status);
}

}  // namespace

namespace {

/// no-color.org: a variable that is there and not empty. A log file is no terminal.
bool colors_by_default(Options const& chosen) {
  char const* const no_color = std::getenv("NO_COLOR");
  char const* const terminal = std::getenv("TERM");
  return chosen.log_file.empty() && (no_color == nullptr || *no_color == '\0') && ::isatty(STDERR_FILENO) == 1 &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

TextStyle text_style(Options const& chosen) {
  return {chosen.color.value_or(colors_by_default(chosen)), chosen.summary, chosen.print_limit, chosen.gen_suppressions};
}

void give_report_to(std::function<int(Report)> taker) {
  delete g_taker;
  g_taker = new std::function(std::move(taker));
}

int write_reports(Report report) {
  Options const& chosen = options();
  int failed = 0;
  report.program.source_root = source_root(chosen.source_root);
  try {
    Suppressions suppressions = suppressions_of(chosen);
    suppressions.apply(report);
    if (!process_is_forked()) suppressions.update_baseline();
  } catch (std::exception const& error) {  // it was readable at the start
    write_to_stderr(fmt::format("teamsan: {}\n", error.what()));
    failed = exit_tool_failure;
  }

  std::uint64_t const errors = report.count(Severity::error);
  if (!report.program.judged && errors == 0) failed = exit_tool_failure;
  // An error of a child, or of the program that this one replaced, is one of the run.
  bool found = errors != 0 || errors_before_exec();
  for (ChildProcess const& child : children_at_work()) found |= child.errors != 0;
  int status = failed != 0 ? failed : found ? chosen.error_exitcode : 0;
  notify_parent(found ? std::max<std::uint64_t>(errors, 1) : 0);
  auto const attempt = [&](auto const& write) {
    try {
      write();
      return true;
    } catch (std::exception const& error) {
      write_to_stderr(fmt::format("teamsan: {}\n", error.what()));
      status = exit_tool_failure;
      return false;
    }
  };
  Told const told = told_so_far();
  auto const text_for = [&](int fd) {
    TerminalWidth const width(fd);
    TextStyle style = text_style(chosen);
    style.told = &told.ids;
    return text_report(report, style);
  };
  bool const logged = !chosen.log_file.empty() &&
                      attempt([&] { write_report_file(own_file_name(chosen.log_file), told.text + text_for(-1)); });
  if (!logged) write_to_stderr(text_for(STDERR_FILENO));
  for (ReportTarget const& target : report_targets(chosen.report))
    attempt([&] { write_report_file(own_file_name(target.file), target.writer->write(report)); });
  return status;
}

void give_up_report() noexcept {
  write_to_stderr("teamsan: the report could not be written after the crash: the program's memory is damaged\n");
  leave_process(exit_tool_failure);
}

namespace {

int finish(Ending ending) noexcept {
  if (!is_own_process()) return 0;  // a child of vfork, whose memory is its parent's
  end_progress();
  Progress expected = Progress::not_begun;
  if (!g_progress.compare_exchange_strong(expected, Progress::writing)) {
    bool const own = g_progress == Progress::writing && g_writer == pthread_self();
    // Another thread is given some time.
    for (unsigned tenths = 0; !own && tenths < 10 * Watchdog::seconds && g_progress != Progress::done; ++tenths) {
      timespec const tenth{0, 100'000'000};
      nanosleep(&tenth, nullptr);
    }
    // A crash in the middle of it has nothing to wait for: it begins again, once.
    if (!own || ending != Ending::crashed || g_again.exchange(true)) return g_status;
  }
  bool const in_a_hurry = ending == Ending::crashed || ending == Ending::left;  // maybe in a signal handler
  if (in_a_hurry) Watchdog::arm();
  // The program's own output comes first.
  if (ending == Ending::crashed)
    flush_crashed_output();
  else if (ending == Ending::orderly || ending == Ending::halted)
    flush_program_output();
  bool const waits_briefly = looks_up_without_waiting();
  auto work = [&] {
    g_writer = pthread_self();
    if (waits_briefly) look_up_without_waiting();
    try {
      RuntimeScope const scope;
      g_status = write_everything(ending);
    } catch (std::exception const& error) {
      write_to_stderr(fmt::format("teamsan: the report could not be made: {}\n", error.what()));
    }
  };
  run_on_big_stack(work, in_a_hurry);
  if (in_a_hurry) Watchdog::disarm();
  g_progress = Progress::done;
  return g_status;
}

}  // namespace

int finish_report(bool crashed) noexcept { return finish(crashed ? Ending::crashed : Ending::orderly); }

int finish_report_of_leaver(bool replaced) noexcept {
  pass_gate();
  int const status = finish(replaced ? Ending::replaced : Ending::left);
  pass_gate();
  return status;
}

void take_back_report() noexcept {
  g_progress = Progress::not_begun;
  let_launches_go_on();
}

bool is_ending() noexcept { return g_progress != Progress::not_begun; }

void set_exit_gate(void (*gate)()) noexcept { g_gate = gate; }

void leave_process(int status) noexcept {
  for (;;) ::syscall(SYS_exit_group, status);
}

namespace {

[[noreturn]] void end(Ending ending, int otherwise) noexcept {
  pass_gate();
  int const status = finish(ending);
  if (ending != Ending::crashed) flush_program_output();
  pass_gate();
  leave_process(status != 0 ? status : otherwise);
}

}  // namespace

void end_program(bool crashed, int otherwise) noexcept {
  end(crashed || uses_report_memory() ? Ending::crashed : Ending::orderly, otherwise);
}

void halt_program(int otherwise) noexcept { end(uses_report_memory() ? Ending::crashed : Ending::halted, otherwise); }

namespace {

/// `tell`: of a file that cannot be written.
void write_to_files(ProgramFacts const& facts, bool tell) noexcept {
  Options const& chosen = options();
  if (chosen.report.empty()) return;
  try {
    Report report;
    report.program = facts;
    add_facts(report.program, chosen);
    for (ReportTarget const& target : report_targets(chosen.report)) {
      std::string const file = own_file_name(target.file);
      if (is_stream(file)) continue;
      try {
        write_report_file(file, target.writer->write(report));
      } catch (ReportFileError const& error) {
        // The end may find a directory that the program makes.
        if (tell)
          write_to_stderr(fmt::format("teamsan: {}; the program runs all the same, and its end tries again\n", error.what()));
      }
    }
  } catch (std::exception const&) {
    // The end says so.
  }
}

}  // namespace

void announce_reports() noexcept {
  ProgramFacts facts;
  facts.crashed = true;
  facts.finished = facts.written = false;
  facts.notes = {"the program ended before its report was written: it was killed, or could not write it at its end"};
  write_to_files(facts, !process_is_forked());
}

void announce_replacement() noexcept {
  ProgramFacts facts;
  facts.notes = {"the program was replaced by another one (exec) before it ran a kernel"};
  write_to_files(facts, false);
}

void install_exit() noexcept {
  if (g_installed.exchange(true)) return;
  note_process([] {
    // Whatever a thread of the parent is doing:
    leave_launch_to_parent();
    g_progress = Progress::not_begun;
  });
  ::on_exit(teamsan_at_exit, nullptr);
  ::at_quick_exit(teamsan_at_quick_exit);
}

}  // namespace teamsan
