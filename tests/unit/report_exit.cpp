// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The end of a program: each case is a child process with its own TEAMSAN_OPTIONS, of which the status and
/// the output are looked at.
#include "../../sim/base/ExitStatus.hpp"
#include "../../sim/base/Options.hpp"
#include "../../sim/base/Start.hpp"
#include "../../sim/detect/OnReport.hpp"
#include "../../sim/findings/Collector.hpp"
#include "../../sim/process/Exit.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace teamsan;

namespace {

std::string read_and_remove(std::string const& file) {
  std::ifstream stream(file);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  std::filesystem::remove(file);
  return text;
}

struct Result {
  int status;
  std::string out, err;
};

/// Runs `program` in a child, which ends with exit(`status`) unless `program` ended it.
Result child(std::string const& options, int status, std::function<void()> const& program) {
  std::string const base = "report_exit." + std::to_string(getpid());
  std::cout.flush();
  std::fflush(nullptr);
  pid_t const process = fork();
  if (process == 0) {
    setenv("TEAMSAN_OPTIONS", options.c_str(), 1);
    if (std::freopen((base + ".out").c_str(), "w", stdout) == nullptr ||
        std::freopen((base + ".err").c_str(), "w", stderr) == nullptr)
      _exit(99);
    install_exit();
    program();
    std::exit(status);
  }
  int raw = 0;
  waitpid(process, &raw, 0);
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 1000 + WTERMSIG(raw), read_and_remove(base + ".out"),
          read_and_remove(base + ".err")};
}

void find(Severity severity = Severity::error) {
  count_launch("kernel", 1, true);
  Finding finding;
  finding.rule = Rule::scratch_race;
  finding.severity = severity;
  finding.title = "a race";
  finding.kernel = "kernel";
  finding.launch = 1;
  finding.sides.resize(1);
  report(std::move(finding));
}

bool holds(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(a_clean_program_keeps_its_status_and_says_so) {
  Result const result = child("", 7, [] { count_launch("k", 1, true); });
  BOOST_TEST(result.status == 7);
  BOOST_TEST(result.err == "==== teamsan: no findings in 1 kernel, 1 launch checked on H100 ====\n");
  BOOST_TEST(child("summary=0", 0, [] { count_launch("k", 1, true); }).err == "");
}

BOOST_AUTO_TEST_CASE(an_error_sets_the_status_whatever_the_programs_own) {
  for (int const own : {0, 7}) {
    Result const result = child("", own, [] { find(); });
    BOOST_TEST(result.status == exit_findings);
    BOOST_TEST(holds(result.err, "==== teamsan: ERROR [scratch-race] a race ==="));
    BOOST_TEST(holds(result.err, "==== teamsan: 1 error in 1 kernel, 1 launch checked on H100 ====\n"));
  }
  BOOST_TEST(child("error_exitcode=5", 0, [] { find(); }).status == 5);
  BOOST_TEST(child("error_exitcode=0", 7, [] { find(); }).status == 7);
}

BOOST_AUTO_TEST_CASE(a_warning_is_no_error_unless_strict) {
  BOOST_TEST(child("", 0, [] { find(Severity::warning); }).status == 0);
  BOOST_TEST(child("strict", 0, [] { find(Severity::warning); }).status == exit_findings);
}

void say(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(98);
}

BOOST_AUTO_TEST_CASE(a_finding_is_told_when_it_is_made) {
  auto const program = [] {
    find();
    find();
    say("the program goes on\n");
  };
  std::string const told = child("", 0, program).err;
  std::size_t const finding = told.find("==== teamsan: ERROR [scratch-race] a race ==="),
                    on = told.find("the program goes on\n"),
                    end = told.find("==== teamsan: of the findings above ====\n TS-");
  BOOST_TEST(finding == 0u);
  BOOST_TEST((finding < on && on < end && end != std::string::npos), told);
  BOOST_TEST(told.find("ERROR [scratch-race] a race", 20) == std::string::npos);  // once
  BOOST_TEST(told.find(" Count ") == std::string::npos);
  BOOST_TEST(holds(told, "  ERROR [scratch-race]  2 element pairs"));
  std::string const late = child("stream=0", 0, program).err;
  BOOST_TEST(late.starts_with("the program goes on\n==== teamsan: ERROR [scratch-race] a race ==="));
  BOOST_TEST(holds(late, " Count   2 element pairs"));
  BOOST_TEST(!holds(late, "of the findings above"));
  // A file of the report is whole.
  child("report=text=report_exit.text", 0, program);
  BOOST_TEST(holds(read_and_remove("report_exit.text"), " Count   2 element pairs"));
  child("log_file=report_exit.log", 0, program);
  std::string const log = read_and_remove("report_exit.log");
  BOOST_TEST((log.starts_with("==== teamsan: ERROR [scratch-race] a race ===") && holds(log, "of the findings above")), log);
}

BOOST_AUTO_TEST_CASE(a_killed_program_has_told_what_it_knew) {
  for (std::string const options : {"", "log_file=report_exit.log"}) {
    Result const result = child(options, 0, [] {
      find();
      raise(SIGKILL);
    });
    BOOST_TEST(result.status == 1000 + SIGKILL);
    std::string const text = options.empty() ? result.err : read_and_remove("report_exit.log");
    BOOST_TEST(text.starts_with("==== teamsan: ERROR [scratch-race] a race ==="));
  }
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_not_told) {
  BOOST_TEST(child("print_limit=0", 0, [] { find(); }).err.starts_with("==== teamsan: 1 more finding not printed"));
  std::ofstream("report_exit.supp") << "kernel:kernel\n";
  BOOST_TEST(child("suppressions=report_exit.supp", 0, [] { find(); }).err ==
             "==== teamsan: known: 1 left out by report_exit.supp:1: 1 scratch-race\n"
             "==== teamsan: 1 suppressed in 1 kernel, 1 launch checked on H100 ====\n");
  std::filesystem::remove("report_exit.supp");
}

BOOST_AUTO_TEST_CASE(a_report_that_cannot_be_written_is_told_before_the_run) {
  Result const result = child("report=json=/nowhere/at/all.json", 0, [] {
    start();
    say("the program runs\n");
  });
  BOOST_TEST(result.status == exit_tool_failure);
  BOOST_TEST(result.err.starts_with("teamsan: cannot write the report \"/nowhere/at/all.json\": No such file or directory; the "
                                    "program runs all the same, and its end tries again\nthe program runs\n"),
             result.err);
}

BOOST_AUTO_TEST_CASE(buffered_output_is_not_lost) {
  Result const result = child("", 0, [] {
    std::printf("no line end");
    find();
  });
  BOOST_TEST(result.out == "no line end");
}

BOOST_AUTO_TEST_CASE(quick_exit_is_an_end_too) {
  BOOST_TEST(child("", 0, [] {
               find();
               std::quick_exit(0);
             }).status == exit_findings);
}

BOOST_AUTO_TEST_CASE(halt_on_error_ends_the_program_there) {
  Result const result = child("halt_on_error", 0, [] {
    std::thread([] { find(); }).join();
    std::printf("went on");
  });
  BOOST_TEST(result.status == exit_findings);
  BOOST_TEST(result.out == "");
  BOOST_TEST(holds(result.err, "1 error"));
}

BOOST_AUTO_TEST_CASE(reports_are_written_once_and_to_every_target) {
  Result const result =
      child("stream=0:log_file=exit_log.%r.txt:report=tsv=exit_lines.txt:report=text=exit_text.txt", 0, [] {
        find();
        finish_report(false);
        finish_report(false);
      });
  std::string const log = read_and_remove("exit_log.0.txt"), lines = read_and_remove("exit_lines.txt");
  BOOST_TEST(result.status == exit_findings);
  BOOST_TEST(result.err == "");
  BOOST_TEST(holds(log, "finding 1 of 1"));
  BOOST_TEST(log == read_and_remove("exit_text.txt"));
  BOOST_TEST(lines.starts_with("scratch-race\terror\t-\t-\tkernel\t1\tTS-"));
}

BOOST_AUTO_TEST_CASE(a_log_is_written_when_nothing_was_found) {
  child("log_file=exit_log.txt", 0, [] { count_launch("k", 1, true); });
  BOOST_TEST(holds(read_and_remove("exit_log.txt"), "no findings"));
}

BOOST_AUTO_TEST_CASE(a_report_that_cannot_be_written_is_a_failure_of_the_tool) {
  Result const result = child("report=text=no/such/folder/r.txt", 0, [] { find(); });
  BOOST_TEST(result.status == exit_tool_failure);
  BOOST_TEST_CONTEXT(result.err)
  BOOST_TEST(holds(result.err,
                   "teamsan: cannot write the report \"no/such/folder/r.txt\": No such file or directory\n"));
  Result const full = child("log_file=/dev/full", 0, [] { count_launch("k", 1, true); });
  BOOST_TEST(full.status == exit_tool_failure);
  BOOST_TEST(holds(full.err, "No space left on device"));
  BOOST_TEST(holds(full.err, "no findings"));  // what was to be logged comes here instead
}

namespace {

void on_fault(int) { end_program(true, 100); }

/// A handler on a stack of its own, as the runtime's.
void crash_with_handler() {
  static char stack[64 << 10];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = on_fault;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  std::raise(SIGSEGV);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_crash_still_gives_the_report) {
  Result const result = child("", 0, [] {
    find();
    crash_with_handler();
  });
  BOOST_TEST(result.status == exit_findings);
  BOOST_TEST(holds(result.err, "1 launch checked on H100, the program did not reach its end ===="));
  BOOST_TEST(child("", 0, crash_with_handler).status == 100);
}

// As after a kernel that damaged the heap.
BOOST_AUTO_TEST_CASE(a_crash_in_the_report_begins_it_again) {
  Result const result = child("", 0, [] {
    start();
    find();
    give_report_to([first = true](Report report) mutable {
      if (std::exchange(first, false)) std::raise(SIGSEGV);
      return write_reports(std::move(report));
    });
  });
  BOOST_TEST(result.status == exit_findings);
  BOOST_TEST(holds(result.err, "a race"));
}

BOOST_AUTO_TEST_CASE(a_forked_child_does_not_repeat_the_findings) {
  Result const result = child("", 0, [] {
    find();
    if (pid_t const process = fork(); process == 0)
      std::exit(0);
    else {
      int status = 0;
      waitpid(process, &status, 0);
      std::printf("child %d", WEXITSTATUS(status));
    }
  });
  BOOST_TEST(result.out == "child 0");
  BOOST_TEST(result.err.find("finding 1 of 1") == result.err.rfind("finding 1 of 1"));
}

BOOST_AUTO_TEST_CASE(mistakes_in_the_options_end_the_program_at_once) {
  Result const wrong = child("devcie=h100", 0, [] { options(); });
  BOOST_TEST(wrong.status == exit_user_mistake);
  BOOST_TEST(wrong.err ==
             "teamsan: unknown option \"devcie\" in TEAMSAN_OPTIONS; the nearest known one is \"device\"\n");
  Result const help = child("help=1", 3, [] { options(); });
  BOOST_TEST(help.status == exit_success);
  BOOST_TEST(holds(help.out, "  device=NAME  (default \"h100\")\n"));
}
