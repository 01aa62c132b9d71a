// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "JoinedReplays.hpp"

#include "../../base/ExitStatus.hpp"
#include "../../process/Exit.hpp"
#include "Replay.hpp"
#include "../../report/Join.hpp"
#include "../../report/JsonReader.hpp"
#include "../../report/JsonReport.hpp"
#include "../../../traces/TraceError.hpp"

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace teamsan::trace {

using namespace traces;

namespace {

/// Gives the report of this process to the one that reads the pipe.
int hand_over(Report const& report, int pipe) {
  std::string const text = json_report(report);
  for (std::size_t done = 0; done != text.size();) {
    ssize_t const n = ::write(pipe, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) return exit_tool_failure;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return damaged() ? exit_tool_failure : exit_success;
}

}  // namespace

Report replay_all(std::vector<std::string> const& files) {
  std::vector<Report> reports;
  begin_replay(files.front());
  for (std::string const& file : files) {
    learn_program(file);
    int ends[2];
    if (::pipe(ends) != 0) throw TraceError(fmt::format("no pipe could be made: {}", std::strerror(errno)));
    std::fflush(nullptr);
    pid_t const child = ::fork();
    if (child < 0) throw TraceError(fmt::format("no process could be made: {}", std::strerror(errno)));
    if (child == 0) {
      ::close(ends[0]);
      give_report_to([pipe = ends[1]](Report const& report) { return hand_over(report, pipe); });
      replay(file);
      end_program(recorded_crash(), 0);
    }
    ::close(ends[1]);
    std::string text;
    char part[65536];
    for (ssize_t n = 0; (n = ::read(ends[0], part, sizeof part)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0) text.append(part, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != exit_success) set_damaged();
    try {
      reports.push_back(read_json_report(text, file));
    } catch (ReportReadError const&) {
      throw TraceError(fmt::format("the replay of \"{}\" ended without a report", file));
    }
  }
  return join_reports(reports);
}

}  // namespace teamsan::trace
