/// Decides from the collector and the options what is written at the end and with which status the process
/// ends. An error that was found sets the status whatever the program's own was; a report that could not be
/// written comes before that.
#include <teamsan/sim/report/Exit.hpp>

#include <teamsan/model/device/Device.hpp>
#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/memory/Outputs.hpp>
#include <teamsan/sim/report/BigStack.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/report/ExitStatus.hpp>
#include <teamsan/sim/report/ObjectSymbols.hpp>
#include <teamsan/sim/report/ReportFile.hpp>
#include <teamsan/sim/report/Suppressions.hpp>
#include <teamsan/sim/report/TextLayout.hpp>
#include <teamsan/sim/report/TextReport.hpp>
#include <teamsan/sim/report/Writers.hpp>
#include <teamsan/sim/trace/Recorder.hpp>
#include <teamsan/sim/trace/Replay.hpp>
#include <teamsan/sim/trace/WordLives.hpp>

#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
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

constexpr unsigned watchdog_seconds = 60;  ///< for a report after a crash, which may have left locks held

enum class Progress { not_begun, writing, done };
std::atomic<Progress> g_progress{Progress::not_begun};
std::atomic<int> g_status{
    exit_tool_failure};             ///< valid once done; until then, what a failure in between means
std::atomic<pthread_t> g_writer{};  ///< while writing
std::atomic<bool> g_installed{false};
pid_t g_process = 0;
std::function<int(Report)>* g_taker = nullptr;  ///< never destroyed

}  // namespace

std::vector<std::string> program_arguments() {
  if (trace::replaying()) return trace::recorded_arguments();
  std::vector<std::string> arguments;
  std::ifstream stream("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(stream, word, '\0');) arguments.push_back(word);
  return arguments;
}

namespace {

/// "NVIDIA H100 (SXM5, sm_90)" as it stands in a closing line: "H100".
std::string short_device_name(std::string_view title) {
  title = title.substr(0, title.find(" ("));
  for (std::string_view const vendor : {"NVIDIA ", "AMD ", "Intel "})
    if (title.starts_with(vendor)) title.remove_prefix(vendor.size());
  return std::string(title);
}

void on_watchdog(int) {
  constexpr char text[] =
      "teamsan: the report could not be written after the crash: the program crashed while it held a lock of "
      "its memory "
      "allocator or loader\n";
  write_to_stderr({text, sizeof text - 1});
  ::_exit(exit_tool_failure);
}

void set_watchdog() {
  struct sigaction action {};
  action.sa_handler = on_watchdog;
  sigaction(SIGALRM, &action, nullptr);
  ::alarm(watchdog_seconds);
}

/// A child that fork made and that launched nothing has nothing to say.
bool is_silent_child(Report const& report) {
  return g_process != 0 && g_process != ::getpid() && report.program.launches == 0 && report.findings.empty();
}

void add_facts(ProgramFacts& program, Options const& chosen) {
  program.arguments = program_arguments();
  program.flags = reproducing_flags(chosen);
  program.device = short_device_name(chosen.model().title);
  program.device_name = chosen.model().name;
  program.shard = chosen.shard;
}

/// A replay is not the program, and has other libraries.
void name_unchecked_libraries(ProgramFacts& program) {
  if (trace::replaying()) return;
  program.unchecked_libraries = unchecked_libraries();
  for (std::string const& library : program.unchecked_libraries)
    program.notes.push_back(fmt::format(
        "{} uses Kokkos and was not compiled for checking: what its code does was not seen; build it with the program", library));
}

Report make_report(bool crashed) {
  Report report = Collector::instance().finish();
  add_facts(report.program, options());
  report.program.crashed = crashed;
  name_unchecked_libraries(report.program);
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

int write_everything(bool crashed) {
  if (!crashed) finish_outputs();
  bool const traced = trace::finish_recording(crashed);
  Report report = make_report(crashed);
  if (is_silent_child(report) || has_nothing_to_say(report)) return 0;
  if (wants_lives(options())) trace::add_lives(report.findings, trace::file());
  if (g_taker != nullptr) return (*g_taker)(std::move(report));
  int const status = write_reports(std::move(report));
  if (status == 0 && trace::replaying() && trace::damaged()) return exit_tool_failure;  // what is missing might hold an error
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

extern "C" void teamsan_at_exit(int, void*) {
  if (int const status = finish_report(false); status != 0) {
    flush_program_output();
    ::_exit(status);
  }
}

extern "C" void teamsan_at_quick_exit() { teamsan_at_exit(0, nullptr); }

}  // namespace

void give_report_to(std::function<int(Report)> taker) {
  delete g_taker;
  g_taker = new std::function(std::move(taker));
}

int write_reports(Report report) {
  Options const& chosen = options();
  int failed = 0;
  try {
    suppressions_of(chosen).apply(report);
  } catch (OptionError const& error) {  // it was readable at the start
    write_to_stderr(fmt::format("teamsan: {}\n", error.what()));
    failed = exit_tool_failure;
  }

  if (!report.program.judged && report.count(Severity::error) == 0) failed = exit_tool_failure;
  int status = failed != 0 ? failed : report.count(Severity::error) != 0 ? chosen.error_exitcode : 0;
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
  auto const text_for = [&](int fd) {
    TerminalWidth const width(fd);
    return text_report(report, {chosen.color, chosen.summary, chosen.print_limit, chosen.gen_suppressions});
  };
  bool const logged = !chosen.log_file.empty() &&
                      attempt([&] { write_report_file(expanded_file_name(chosen.log_file), text_for(-1)); });
  if (!logged) write_to_stderr(text_for(STDERR_FILENO));
  for (ReportTarget const& target : report_targets(chosen.report))
    attempt([&] { write_report_file(expanded_file_name(target.file), target.writer->write(report)); });
  return status;
}

int finish_report(bool crashed) noexcept {
  Progress expected = Progress::not_begun;
  if (!g_progress.compare_exchange_strong(expected, Progress::writing)) {
    // A crash in the middle of it has nothing to wait for; another thread is given some time.
    if (g_progress == Progress::writing && g_writer == pthread_self()) return g_status;
    for (int tenths = 0; tenths < 100 && g_progress != Progress::done; ++tenths) {
      timespec const tenth{0, 100'000'000};
      nanosleep(&tenth, nullptr);
    }
    return g_status;
  }
  if (crashed) set_watchdog();
  // The program's own output comes first.
  if (crashed)
    flush_crashed_output();
  else
    flush_program_output();
  auto work = [&] {
    g_writer = pthread_self();
    try {
      g_status = write_everything(crashed);
    } catch (std::exception const& error) {
      write_to_stderr(fmt::format("teamsan: the report could not be made: {}\n", error.what()));
    }
  };
  run_on_big_stack(work, crashed);
  if (crashed) ::alarm(0);
  g_progress = Progress::done;
  return g_status;
}

void end_program(bool crashed, int otherwise) noexcept {
  int const status = finish_report(crashed);
  if (!crashed) flush_program_output();
  ::_exit(status != 0 ? status : otherwise);
}

void announce_reports() noexcept {
  Options const& chosen = options();
  if (chosen.report.empty()) return;
  try {
    Report report;
    add_facts(report.program, chosen);
    report.program.crashed = true;
    report.program.finished = false;
    report.program.notes = {"the program ended before its report was written: it was killed, or left by _exit"};
    for (ReportTarget const& target : report_targets(chosen.report)) {
      std::string const file = expanded_file_name(target.file);
      if (is_stream(file)) continue;
      write_report_file(file, target.writer->write(report));
    }
  } catch (std::exception const&) {
    // The end may find a directory that the program makes; if not, it says so.
  }
}

void install_exit() noexcept {
  if (g_installed.exchange(true)) return;
  g_process = ::getpid();
  ::on_exit(teamsan_at_exit, nullptr);
  ::at_quick_exit(teamsan_at_quick_exit);
}

}  // namespace teamsan
